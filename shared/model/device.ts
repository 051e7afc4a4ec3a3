// A device: a wearable account or a phone that a user has linked.
import * as z from 'zod';
import { DeviceId } from './ids.ts';
import { Timestamp } from './time.ts';

/** Of one user: more than anybody wears, and few enough that every read may know them all. */
export const mostDevices = 50;

export const DeviceStatus = z.enum(['pending', 'active', 'failed', 'disconnected']).meta({
  description:
    '`pending` waits for consent, `active` syncs, `failed` could not be linked. `disconnected`: the consent has ended, or another device of the ' +
    'provider has taken its place; what it brought stays until it is deleted.',
  examples: ['active'],
});

export const deviceErrors = [
  'access_denied',
  'link_expired',
  'wrong_provider',
  'code_refused',
  'scopes_missing',
  'provider_unavailable',
  'not_configured',
  'consent_ended',
  'replaced',
] as const;
export type DeviceError = (typeof deviceErrors)[number];

export const Device = z
  .object({
    id: DeviceId,
    provider: z.string().meta({ description: 'A provider id of the provider catalog.', examples: ['oura'] }),
    status: DeviceStatus,
    connected_at: Timestamp.nullable().meta({
      description: 'When the user gave consent; null while pending.',
      examples: ['2026-03-01T08:00:12.345Z'],
    }),
    last_sync_at: Timestamp.nullable().meta({
      description: 'When data last arrived from it; null before the first sync.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    error: z
      .enum(deviceErrors)
      .nullable()
      .meta({
        description:
          'Why it could not be linked, or is linked no longer: the person refused (`access_denied`) or allowed too little (`scopes_missing`), the link ran out ' +
          '(`link_expired`) or came back from another provider (`wrong_provider`), the provider refused the code (`code_refused`) or could not be reached ' +
          '(`provider_unavailable`), it does not accept the credentials of this deployment (`not_configured`), the consent was withdrawn at the provider ' +
          '(`consent_ended`), or the provider was connected again (`replaced`). Null otherwise.',
        examples: [null],
      }),
  })
  .meta({ id: 'Device', description: 'A wearable account or a phone that a user has linked.' });
export type Device = z.infer<typeof Device>;
