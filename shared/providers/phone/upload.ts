// The body of a phone's upload. The envelope is validated as a whole, and its records one by one.
import * as z from 'zod';
import { DeviceType } from '../../catalog/provider.ts';
import { TimeZone } from '../../platform/time/time.ts';
import { UnicodeText } from '../../platform/unicode-text.ts';

export const UploadDevice = z
  .strictObject({
    name: UnicodeText.max(255).meta({ description: "The owner's name for the device.", examples: ['Ada’s ring'] }),
    model: UnicodeText.max(255)
      .min(1)
      .meta({ description: 'The model. Each model of a provider is one device of the user.', examples: ['Ring Gen3'] }),
    type: DeviceType,
  })
  .meta({ id: 'UploadDevice', description: 'The device that took the measurements.' });
export type UploadDevice = z.infer<typeof UploadDevice>;

const time_zone = TimeZone.meta({
  description: 'The IANA time zone of the phone. A profile without a time zone adopts it.',
  examples: ['Europe/Berlin'],
});

export const uploadEnvelope = { time_zone, device: UploadDevice };
const records = z.array(z.unknown()).default([]);

/** The envelope as it is validated, with any content in its lists. Drops unknown fields. */
export const UploadBody = z.object({
  ...uploadEnvelope,
  samples: records,
  daily: records,
  sleep: records,
  workouts: records,
});
export type UploadBody = z.infer<typeof UploadBody>;

/** The envelope as it arrives: its unknown fields are kept, so that they can be reported. */
export const ReceivedUpload = UploadBody.loose();
export type ReceivedUpload = z.infer<typeof ReceivedUpload>;
