// What a phone uploads. The envelope is checked as a whole; the records in it are judged one by one.
import * as z from 'zod';
import { DeviceType } from '../../catalog/provider.ts';
import { TimeZone } from '../../platform/time/time.ts';

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => value.isWellFormed(), 'must be valid Unicode');

export const UploadDevice = z
  .strictObject({
    name: text(255).meta({ description: "The owner's name for it.", examples: ['Ada’s Watch'] }),
    model: text(255)
      .min(1)
      .meta({ description: 'The model; each model of a provider is one device of the user.', examples: ['Watch7,5'] }),
    type: DeviceType,
  })
  .meta({ id: 'UploadDevice', description: 'The device that took the measurements.' });
export type UploadDevice = z.infer<typeof UploadDevice>;

const time_zone = TimeZone.meta({
  description: 'The IANA time zone of the phone. A profile without a time zone takes it.',
  examples: ['Europe/Berlin'],
});

export const uploadEnvelope = { time_zone, device: UploadDevice };
const records = z.array(z.unknown()).default([]);

/** The envelope as it is checked: whatever stands in the lists. */
export const UploadBody = z.strictObject({
  ...uploadEnvelope,
  samples: records,
  daily: records,
  sleep: records,
  workouts: records,
});
export type UploadBody = z.infer<typeof UploadBody>;
