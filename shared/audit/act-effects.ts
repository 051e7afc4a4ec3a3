// What an act takes away, ends or hands out, in the one sentence that the description of its route and
// the dialog of the console share. Neither says it in words of its own.
import type { AuditAction } from './actions.ts';

export const actEffects = {
  'user.deleted':
    'Every device is disconnected and everything that is stored is erased. Tokens and links stop working, and the reference can be used again. This cannot be undone.',
  'device.disconnected':
    'Disconnecting revokes the consent at the provider, stops syncing and removes everything the device contributed. Affected days are recomputed from the data that remains.',
  'consolidation.reset': 'Every metric gets its default method, and every provider counts for every metric again.',
  'member.removed':
    'Sharing ends at once: no value can be read, no device is synced, and tokens, sessions and connect links stop working for good. The data stays, and can be read again when the person accepts another invitation.',
  'invitation.revoked': 'The links of the invitation stop working immediately.',
  'webhook.deleted':
    'Nothing more is sent to the webhook, except for requests that are already under way, and the log of its deliveries is erased. This cannot be undone.',
  'webhook.secret_rotated':
    'A new secret is created and shown only once. For 24 hours, requests are also signed with the old secret.',
  'sdk_session.revoked': 'The credentials of the session stop working immediately. Uploaded data is not deleted.',
  'connect_link.revoked':
    'The page of the link no longer works, and connections that were started on it can no longer be completed. Connected devices stay connected.',
  'key.replaced': 'The new key is shown only once. The key before it ends at once, or after the overlap.',
  'key.revoked':
    'Every key of the environment ends at once, and with it every user token that it issued. There is no overlap.',
  'colleague.updated':
    'A new role applies from the colleague’s next request. What they made for users and may no longer make ends.',
  'colleague.removed':
    'The sessions and passkeys of the colleague end at once, and so does what they made for users. The audit trail keeps what they did.',
  'colleague.access_reset':
    'The passkeys, sessions and earlier links of the colleague end at once. The new link works once, for ten minutes. What they made for users ends as well.',
  'session.revoked': 'The session ends at once, in whichever browser it is.',
  'passkey.removed': 'Nobody can sign in with the passkey any longer. Sessions that began with it stay.',
} as const satisfies Partial<Record<AuditAction, string>>;

export type EffectiveAct = keyof typeof actEffects;
