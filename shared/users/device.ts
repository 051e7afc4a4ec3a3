// A device: a wearable account or a phone that a user has linked.
import * as z from 'zod';
import { DeviceType, ProviderId } from '../catalog/provider.ts';
import { CalendarDate, Timestamp } from '../platform/time/time.ts';
import { DeviceId } from '../system/ids.ts';
import { deviceErrors, syncStates } from './device-states.ts';

export const DeviceStatus = z.enum(['pending', 'active', 'failed', 'disconnected', 'replaced']).meta({
  id: 'DeviceStatus',
  description:
    '`pending`: waiting for consent. `active`: syncing. `failed`: the device could not be linked. `disconnected`: the consent has ended. `replaced`: the provider was ' +
    'connected again, and new data comes from the newer device. The data of a disconnected or replaced device stays until the device is deleted.',
  examples: ['active'],
});

export const DeviceSync = z
  .object({
    state: z.enum(syncStates).meta({
      description:
        '`backfilling`: the history is being fetched, newest days first. `current`: the history is complete, and new data is read as it arrives. `waiting`: the ' +
        'provider is unavailable, fails for some of the days (`done` is then below 1), or has reached its rate limit. `failed`: an error occurred on our side, or the provider rejects this ' +
        "deployment's credentials. `waiting` and `failed` are retried automatically, and no data is lost.",
      examples: ['backfilling'],
    }),
    from: CalendarDate.meta({
      description: 'The first day of the history to fetch.',
      examples: ['2025-09-15'],
    }),
    to: CalendarDate.meta({
      description: 'The last day of the history to fetch: the day on which the device was connected.',
      examples: ['2026-03-14'],
    }),
    done: z
      .number()
      .min(0)
      .max(1)
      .meta({
        description: 'The fraction of the history that has been fetched, from 0 to 1, counted in days.',
        examples: [0.33],
      }),
  })
  .meta({ id: 'DeviceSync', description: "The progress of a device's sync." });
export type DeviceSync = z.infer<typeof DeviceSync>;

export const Device = z
  .object({
    id: DeviceId,
    provider: ProviderId,
    type: DeviceType,
    model: z.string().meta({
      description: "The model as stated by the phone; for a cloud provider, the provider's name.",
      examples: ['Oura'],
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "The owner's name for the device, as last uploaded; null if there is none.",
        examples: [null],
      }),
    status: DeviceStatus,
    connected_at: Timestamp.nullable().meta({
      description: 'When the user gave consent; null while pending.',
      examples: ['2026-03-01T08:00:12.345Z'],
    }),
    last_sync_at: Timestamp.nullable().meta({
      description: 'When data last arrived from the device; null before the first sync.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    sync: DeviceSync.nullable().meta({
      description:
        'The progress of the sync; null for phones, which upload their data themselves, and for devices that do not sync.',
    }),
    error: z
      .enum(deviceErrors)
      .nullable()
      .meta({
        description:
          'Why the device could not be linked, or is no longer linked. `access_denied`: the user refused. `scopes_missing`: the user granted too few permissions. `link_expired`: the link expired. ' +
          '`wrong_provider`: the authorization returned from another provider. `code_refused`: the provider refused the code. ' +
          '`provider_unavailable`: the provider could not be reached. `not_configured`: the provider does not accept the credentials of this deployment. ' +
          '`consent_ended`: the consent was withdrawn at the provider. `replaced`: the provider was connected again. Null otherwise.',
        examples: [null],
      }),
  })
  .meta({ id: 'Device', description: 'A wearable account or a phone that a user has linked.' });
export type Device = z.infer<typeof Device>;
