// Schemas of the source of a value or session, for requests with `include_sources=true`.
import * as z from 'zod';
import { ProviderId } from '../../catalog/provider.ts';
import { DeviceId } from '../../system/ids.ts';
import type { DeviceRow } from '../../users/device-rows.ts';

export const SessionSource = z
  .object({ provider: ProviderId, device_id: DeviceId })
  .meta({ id: 'SessionSource', description: 'The device that reported the session.' });
export type SessionSource = z.infer<typeof SessionSource>;

export const Contributor = z
  .object({
    device_id: DeviceId,
    provider: ProviderId,
    value: z.number().meta({
      description: "The device's share of the value, in the unit of the value.",
      examples: [4157],
    }),
  })
  .meta({ id: 'Contributor', description: 'One of several devices that contributed to a value.' });
export type Contributor = z.infer<typeof Contributor>;

export const ValueSource = z
  .object({
    provider: ProviderId,
    device_id: DeviceId,
    original_value: z
      .number()
      .meta({ description: 'The value as the device reported it, or its share of that value.', examples: [8421] }),
    original_unit: z.string().meta({ description: "The unit of the device's report.", examples: ['count'] }),
    contributors: z
      .array(Contributor)
      .optional()
      .meta({
        description:
          'Only for a value that combines several devices: the contribution of each, highest priority first. ' +
          'With the methods `merge`, `sum` and `max`, the contributions are shares that add up to the value; with `max`, they are those of the devices of the provider with the largest value. ' +
          'The source device is then the one with the largest share, and its original value is that share. ' +
          'With `avg`, they are the averaged values: the value is their sum divided by the number of providers, zeros included. ' +
          'The source device is then the one with the largest contribution for metrics that add up over a day, otherwise the one with the highest priority, and its original value is what it reported for the day. ' +
          'With `priority`, a value comes from one device and has no contributors.',
      }),
  })
  .meta({
    id: 'ValueSource',
    description: 'The device a value came from, and the value it reported before conversion.',
  });
export type ValueSource = z.infer<typeof ValueSource>;

export const presentDevice = ({ provider, id }: DeviceRow): SessionSource => ({ provider, device_id: id });
