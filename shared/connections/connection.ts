// Connecting a provider account through a page that the user opens.
import * as z from 'zod';
import { CloudProviderId, ProviderId } from '../catalog/provider.ts';
import { isLoopbackHost } from '../platform/loopback.ts';
import { Timestamp } from '../platform/time/time.ts';
import { ConnectLinkId, DeviceId } from '../system/ids.ts';

/** The lifetime of a link to one provider's consent page. */
export const connectMinutes = 15;
/** The lifetime of a link to the page where a user picks providers. */
export const connectLinkHours = 24;

/**
 * The simulated provider's consent page starts with this time zone and this persona. Real providers
 * never see them.
 */
export const suggestedTimeZoneParameter = 'sandbox_time_zone';
export const suggestedPersonaParameter = 'sandbox_persona';

const isReturnUrl = (text: string): boolean => {
  // URL parsers silently drop some of these characters, and a header must not contain any of them.
  if (/[^\x21-\x7e]/.test(text) || !URL.canParse(text)) return false;
  // Clients differ in how they read a backslash or a missing slash.
  if (text.includes('\\') || !/^https?:\/\/[^/]/i.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
};

const RedirectUrl = z
  .string()
  .max(2048)
  .refine(isReturnUrl, 'must be an https URL (http only for localhost) in ASCII, without a user name or password')
  .meta({
    description:
      'Where the user returns to. The query parameters `status` (`connected` or `error`), `device_id` and, on failure, `error` are added to it. ' +
      'Without it, a page of the service shows the result.',
    examples: ['https://app.example.com/wearables'],
  });

/** Any text, because an unknown provider gets a failure that says how to connect it. */
const ProviderName = z.string().min(1).max(64);

export const ConnectRequest = z.strictObject({ provider: ProviderName, redirect_url: RedirectUrl.optional() });
export type ConnectRequest = z.infer<typeof ConnectRequest>;

export const DocumentedConnectRequest = ConnectRequest.extend({ provider: CloudProviderId }).meta({
  id: 'ConnectRequest',
  description: 'The provider to connect.',
});

export const PendingDevice = z
  .object({
    id: DeviceId,
    provider: ProviderId,
    status: z.literal('pending').meta({ examples: ['pending'] }),
    auth_url: z.url().meta({
      description:
        'Send the user to this URL. It works once, and in one browser from start to finish: open it in the browser where the user stays until they return from the provider.',
      examples: ['https://api.example.com/connect/f3K9xw2Qm7'],
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'PendingDevice', description: "A device that is waiting for the user's consent." });
export type PendingDevice = z.infer<typeof PendingDevice>;

export const ConnectLinkRequest = z.strictObject({
  redirect_url: RedirectUrl.optional(),
  providers: z.array(ProviderName).min(1).max(32).optional(),
});
export type ConnectLinkRequest = z.infer<typeof ConnectLinkRequest>;

export const DocumentedConnectLinkRequest = ConnectLinkRequest.extend({
  providers: z.array(CloudProviderId).min(1).max(32).optional().meta({
    description: 'The providers to offer on the page, in this order. Defaults to all available providers, by name.',
  }),
}).meta({ id: 'ConnectLinkRequest', description: 'Options for the page.' });

/** How long after a requested sync the next request has an effect. */
export const syncCooldownMinutes = 5;

export const SyncRequest = z
  .object({
    accepted: z.boolean().meta({
      description: `True if the provider is asked now. False if a sync of this device was requested less than ${syncCooldownMinutes} minutes ago; that request stands, and this one has no effect.`,
      examples: [true],
    }),
    next_at: Timestamp.meta({ description: 'When the next request has an effect.' }),
  })
  .meta({ id: 'SyncRequest', description: 'Whether the provider is asked for new data.' });
export type SyncRequest = z.infer<typeof SyncRequest>;

export const ConnectLink = z
  .object({
    id: ConnectLinkId.meta({ description: 'The id used to revoke the link.' }),
    url: z.url().meta({
      description:
        'Send the user to this URL. Anyone who has it can connect and disconnect this user’s wearables until it expires or is revoked, until the API key that created it is no longer valid, or until the colleague who created it loses access.',
      examples: ['https://api.example.com/connect/links/9vQ2hT5sLk'],
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'ConnectLink', description: 'A page where a user connects and disconnects wearables.' });
export type ConnectLink = z.infer<typeof ConnectLink>;
