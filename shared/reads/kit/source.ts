// Where a value or a session came from, for those who ask with `include_sources=true`.
import * as z from 'zod';
import { ProviderId } from '../../catalog/provider.ts';
import { DeviceId } from '../../system/ids.ts';

export const SessionSource = z
  .object({ provider: ProviderId, device_id: DeviceId })
  .meta({ id: 'SessionSource', description: 'The device that reported it.' });
export type SessionSource = z.infer<typeof SessionSource>;

export const Contributor = z
  .object({
    device_id: DeviceId,
    provider: ProviderId,
    value: z.number().meta({
      description: "What of the device's data went into the value, in the unit of the value.",
      examples: [4157],
    }),
  })
  .meta({ id: 'Contributor', description: 'One of several devices that a value was made from.' });
export type Contributor = z.infer<typeof Contributor>;

export const ValueSource = z
  .object({
    provider: ProviderId,
    device_id: DeviceId,
    original_value: z
      .number()
      .meta({ description: 'The value as the device reported it, or its share of that.', examples: [8421] }),
    original_unit: z.string().meta({ description: 'The unit the device reported in.', examples: ['count'] }),
    contributors: z
      .array(Contributor)
      .optional()
      .meta({
        description:
          'Only when the value was made from several devices: what each gave, highest priority first. ' +
          'With the methods `merge`, `sum` and `max` they are shares that add up to the value (with `max`, those of the devices of the one provider whose value is the largest); ' +
          'the device above is then the one with the largest share, and its original value is that share. ' +
          'With `avg` they are what was averaged: the value is their sum over the number of providers among them, zeros included; ' +
          'the device above is then the one with the largest of them where values add up over a day (the one of highest priority otherwise), and its original value is what it reported for the day. ' +
          'With `priority` a value comes from one device, and there are none.',
      }),
  })
  .meta({ id: 'ValueSource', description: 'The device a value came from, and what it reported before conversion.' });
export type ValueSource = z.infer<typeof ValueSource>;
