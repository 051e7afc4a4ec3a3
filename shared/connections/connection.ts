// Linking a vendor's account by a page that the person opens.
import * as z from 'zod';
import { ProviderId } from '../catalog/provider.ts';
import { Timestamp } from '../platform/time/time.ts';
import { ConnectLinkId, DeviceId } from '../system/ids.ts';

/** Of a link to one provider's consent. */
export const connectMinutes = 15;
/** Of a link to the page where a person picks. */
export const connectLinkHours = 24;

const isReturnUrl = (text: string): boolean => {
  // Parsers drop some of these without a word; a header may hold none of them.
  if (/[^\x21-\x7e]/.test(text) || !URL.canParse(text)) return false;
  // Not everybody who follows it reads a backslash, or a missing slash, alike.
  if (text.includes('\\') || !/^https?:\/\/[^/]/i.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
};

const RedirectUrl = z
  .string()
  .max(2048)
  .refine(isReturnUrl, 'must be an https URL (http only for localhost) in ASCII, without a user name or password')
  .meta({
    description:
      'Where the person returns to, with `status` (`connected` or `error`), `device_id` and, if it failed, `error` added to its query. ' +
      'Without it a page of the service tells how it went.',
    examples: ['https://app.example.com/wearables'],
  });

export const ConnectRequest = z
  .strictObject({
    provider: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'A cloud provider of the provider catalog.', examples: ['oura'] }),
    redirect_url: RedirectUrl.optional(),
  })
  .meta({ id: 'ConnectRequest', description: 'Which provider to link.' });
export type ConnectRequest = z.infer<typeof ConnectRequest>;

export const PendingDevice = z
  .object({
    id: DeviceId,
    provider: ProviderId,
    status: z.literal('pending').meta({ examples: ['pending'] }),
    auth_url: z.url().meta({
      description:
        'Send the person here. It is good once, in one browser from beginning to end: open it where the person stays until they return from the provider.',
      examples: ['https://api.example.com/connect/f3K9xw2Qm7'],
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'PendingDevice', description: 'A device that waits for the consent of the person.' });
export type PendingDevice = z.infer<typeof PendingDevice>;

export const ConnectLinkRequest = z
  .strictObject({
    redirect_url: RedirectUrl.optional(),
    providers: z
      .array(
        z
          .string()
          .min(1)
          .max(64)
          .meta({ examples: ['oura'] }),
      )
      .min(1)
      .max(32)
      .optional()
      .meta({ description: 'Which providers the page offers, in this order; all that are available by default.' }),
  })
  .meta({ id: 'ConnectLinkRequest', description: 'What the page offers.' });
export type ConnectLinkRequest = z.infer<typeof ConnectLinkRequest>;

export const ConnectLink = z
  .object({
    id: ConnectLinkId.meta({ description: 'The id to revoke the link with.' }),
    url: z.url().meta({
      description:
        'Send the person here. Anyone who has it can link and unlink this user’s wearables until it expires, is revoked, or the API key that made it ends.',
      examples: ['https://api.example.com/connect/links/9vQ2hT5sLk'],
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'ConnectLink', description: 'A page where a person links and unlinks wearables.' });
export type ConnectLink = z.infer<typeof ConnectLink>;
