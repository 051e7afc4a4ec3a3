// Where a value or a session came from, for those who ask with `include_sources=true`.
import * as z from 'zod';
import { DeviceId } from './ids.ts';
import { ProviderId } from './provider.ts';

export const SessionSource = z
  .object({ provider: ProviderId, device_id: DeviceId })
  .meta({ id: 'SessionSource', description: 'The device that reported it.' });
export type SessionSource = z.infer<typeof SessionSource>;

export const Contributor = z
  .object({
    device_id: DeviceId,
    provider: ProviderId,
    value: z.number().meta({ description: "The device's share of the value.", examples: [4157] }),
  })
  .meta({ id: 'Contributor', description: 'A device that measured a part of the value.' });
export type Contributor = z.infer<typeof Contributor>;

export const ValueSource = z
  .object({
    provider: ProviderId,
    device_id: DeviceId,
    original_value: z
      .number()
      .meta({ description: 'The value as the device reported it, or its share of that.', examples: [8421] }),
    original_unit: z.string().meta({ description: 'The unit the device reported in.', examples: ['count'] }),
    contributors: z.array(Contributor).optional().meta({
      description:
        'Only when several devices each measured a part: the share of each, highest priority first. The device above is then the one with the largest share, and its original value is that share.',
    }),
  })
  .meta({ id: 'ValueSource', description: 'The device a value came from, and what it reported before conversion.' });
export type ValueSource = z.infer<typeof ValueSource>;
