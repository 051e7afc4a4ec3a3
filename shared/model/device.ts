// A device: a wearable account or a phone that a user has linked.
import * as z from 'zod';
import { DeviceId } from './ids.ts';
import { Timestamp } from './time.ts';

/** Of one user: more than anybody wears, and few enough that every read may know them all. */
export const mostDevices = 50;

export const DeviceStatus = z
  .enum(['pending', 'active', 'failed'])
  .meta({ description: 'Whether it is waiting for consent, syncing, or could not be linked.', examples: ['active'] });

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
  })
  .meta({ id: 'Device', description: 'A wearable account or a phone that a user has linked.' });
export type Device = z.infer<typeof Device>;
