// Schemas of passkeys: what the browser's WebAuthn functions take and return, in their own names.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';
import { PasskeyId } from '../system/ids.ts';
import { ColleagueName } from './colleague.ts';

const maxEncodedCharacters = 8_000;
const Encoded = z
  .string()
  .regex(/^[\w-]*$/, 'must be base64url')
  .max(maxEncodedCharacters)
  .meta({ examples: ['q83vEjRWeJA0'] });
const PublicKeyType = z.literal('public-key').meta({ examples: ['public-key'] });
const extensions = { clientExtensionResults: z.record(z.string(), z.unknown()).meta({ examples: [{}] }) };

export const PasskeyOptions = z
  .object({
    challenge: Encoded,
    rp: z.object({
      name: z.string().meta({ examples: ['Daybook'] }),
      id: z.string().meta({ examples: ['localhost'] }),
    }),
    user: z.object({
      id: Encoded,
      name: z.string().meta({ examples: ['alex@example.com'] }),
      displayName: z.string().meta({ examples: ['Alex Kim'] }),
    }),
    pubKeyCredParams: z.array(z.object({ type: PublicKeyType, alg: z.int().meta({ examples: [-7] }) })),
    timeout: z.int().meta({ examples: [300_000] }),
    attestation: z.literal('none').meta({ examples: ['none'] }),
    excludeCredentials: z.array(z.object({ id: Encoded, type: PublicKeyType })),
    authenticatorSelection: z.object({
      residentKey: z.literal('required').meta({ examples: ['required'] }),
      requireResidentKey: z.literal(true).meta({ examples: [true] }),
      userVerification: z.literal('required').meta({ examples: ['required'] }),
    }),
  })
  .meta({ id: 'PasskeyOptions', description: 'For `navigator.credentials.create`, as JSON.' });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

export const PasskeySignInOptions = z
  .object({
    challenge: Encoded,
    rpId: z.string().meta({ examples: ['localhost'] }),
    timeout: z.int().meta({ examples: [300_000] }),
    userVerification: z.literal('required').meta({ examples: ['required'] }),
    allowCredentials: z.array(z.object({ id: Encoded, type: PublicKeyType })).meta({
      description: 'Always empty: the browser offers the passkeys that it has for this address.',
      examples: [[]],
    }),
  })
  .meta({ id: 'PasskeySignInOptions', description: 'For `navigator.credentials.get`, as JSON.' });
export type PasskeySignInOptions = z.infer<typeof PasskeySignInOptions>;

const credential = {
  id: Encoded,
  rawId: Encoded,
  type: PublicKeyType,
  authenticatorAttachment: z
    .string()
    .max(32)
    .optional()
    .meta({ examples: ['platform'] }),
  ...extensions,
};

export const CreatedCredential = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: Encoded,
      attestationObject: Encoded,
    }),
  })
  .meta({ id: 'CreatedCredential', description: 'What `navigator.credentials.create` returned, as JSON.' });
export type CreatedCredential = z.infer<typeof CreatedCredential>;

export const NewPasskey = z
  .strictObject({ name: ColleagueName.nullable().optional(), credential: CreatedCredential })
  .meta({ id: 'NewPasskey', description: 'A passkey to register.' });
export type NewPasskey = z.infer<typeof NewPasskey>;

export const PasskeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: Encoded,
      authenticatorData: Encoded,
      signature: Encoded,
      userHandle: Encoded.optional(),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'What `navigator.credentials.get` returned, as JSON.' });
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const Passkey = z
  .object({
    id: PasskeyId,
    name: z
      .string()
      .nullable()
      .meta({ examples: ['My laptop'] }),
    origin: z.string().meta({
      description: 'The address at which the passkey was created. It works there only.',
      examples: ['https://daybook.example.com'],
    }),
    is_usable: z
      .boolean()
      .meta({ description: 'Whether the passkey works at the address of this request.', examples: [true] }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ examples: ['2026-03-14T07:26:53.589Z'] }),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the colleague who is signed in.' });
export type Passkey = z.infer<typeof Passkey>;
