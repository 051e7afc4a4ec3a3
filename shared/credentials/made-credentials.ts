// What ends, and what should be rotated, when a colleague's access ends: the schemas.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';
import { Environment } from '../system/caller.ts';
import { MadeCredentialKind } from '../system/made-credential-rows.ts';

export const MadeCredentialGroup = z
  .object({
    kind: MadeCredentialKind,
    environment: Environment,
    count: z.int().meta({ examples: [3] }),
    last_expires_at: Timestamp.meta({
      description: 'When the last of them expires by itself. A phone renews its session.',
      examples: ['2026-05-13T07:26:53.589Z'],
    }),
  })
  .meta({ id: 'MadeCredentialGroup', description: 'Credentials of one kind that a colleague made for users.' });
export type MadeCredentialGroup = z.infer<typeof MadeCredentialGroup>;

export const SeenSecret = z
  .object({
    kind: z.enum(['api_key', 'webhook_secret']).meta({ examples: ['webhook_secret'] }),
    id: z.string().meta({ description: 'The API key or the webhook.', examples: ['whk_01k9p3wh8j0m2p4r6t8w0y2a4c'] }),
    environment: Environment,
  })
  .meta({ id: 'SeenSecret', description: 'A secret that was shown to the colleague, and that still works.' });
export type SeenSecret = z.infer<typeof SeenSecret>;

export const MadeCredentials = z
  .object({
    credentials: z.array(MadeCredentialGroup).meta({ description: 'What ends, unless it is kept.' }),
    to_rotate: z.array(SeenSecret).meta({ description: 'What keeps working until somebody replaces it.' }),
  })
  .meta({ id: 'MadeCredentials', description: 'What a colleague made that still works.' });
export type MadeCredentials = z.infer<typeof MadeCredentials>;

export const CredentialFate = z.enum(['end', 'keep']).meta({
  id: 'CredentialFate',
  description: 'What happens to the user tokens, mobile tokens and SDK sessions. Connect links always end.',
  examples: ['end'],
});
export type CredentialFate = z.infer<typeof CredentialFate>;
