// A device: a wearable account or a phone that a user has linked.
import * as z from 'zod';
import { DeviceType } from '../catalog/provider.ts';
import { CalendarDate, Timestamp } from '../platform/time/time.ts';
import { DeviceId } from '../system/ids.ts';
import { deviceErrors, syncStates } from './device-states.ts';

export const DeviceStatus = z.enum(['pending', 'active', 'failed', 'disconnected']).meta({
  description:
    '`pending` waits for consent, `active` syncs, `failed` could not be linked. `disconnected`: the consent has ended, or another device of the ' +
    'provider has taken its place; what it brought stays until it is deleted.',
  examples: ['active'],
});

export const DeviceSync = z
  .object({
    state: z.enum(syncStates).meta({
      description:
        '`backfilling`: its history is being fetched, the newest days first. `current`: the history is in, and what is new is read as it comes. `waiting`: the ' +
        'provider does not answer, fails on some of the days (`done` is then below 1), or takes no more requests for now. `failed`: something went wrong on our side, or the provider does not accept this ' +
        "deployment's credentials. The last two are tried again by themselves, and nothing is lost meanwhile.",
      examples: ['backfilling'],
    }),
    from: CalendarDate.meta({
      description: 'The first day of the history that is fetched.',
      examples: ['2025-09-15'],
    }),
    to: CalendarDate.meta({
      description: 'The last day of it: the day on which the device was connected.',
      examples: ['2026-03-14'],
    }),
    done: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'How much of the history is in, from 0 to 1, counted in days.', examples: [0.33] }),
  })
  .meta({ id: 'DeviceSync', description: 'How far the sync of a device is.' });
export type DeviceSync = z.infer<typeof DeviceSync>;

export const Device = z
  .object({
    id: DeviceId,
    provider: z.string().meta({ description: 'A provider id of the provider catalog.', examples: ['oura'] }),
    type: DeviceType,
    model: z.string().meta({
      description: 'The model as the phone states it; for a cloud provider its name.',
      examples: ['Oura'],
    }),
    name: z
      .string()
      .nullable()
      .meta({ description: "The owner's name for it, as last uploaded; null if there is none.", examples: [null] }),
    status: DeviceStatus,
    connected_at: Timestamp.nullable().meta({
      description: 'When the user gave consent; null while pending.',
      examples: ['2026-03-01T08:00:12.345Z'],
    }),
    last_sync_at: Timestamp.nullable().meta({
      description: 'When data last arrived from it; null before the first sync.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    sync: DeviceSync.nullable().meta({
      description:
        'How far its sync is; null for phones, which bring their data themselves, and for devices that do not sync.',
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
