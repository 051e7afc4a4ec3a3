// Where a value or a session came from, for those who ask with `include_sources=true`.
import * as z from 'zod';
import { DeviceId } from './ids.ts';
import { ProviderId } from './provider.ts';

export const SessionSource = z
  .object({ provider: ProviderId, device_id: DeviceId })
  .meta({ id: 'SessionSource', description: 'The device that reported it.' });
export type SessionSource = z.infer<typeof SessionSource>;

export const ValueSource = z
  .object({
    provider: ProviderId,
    device_id: DeviceId,
    original_value: z.number().meta({ description: 'The value as the device reported it.', examples: [8421] }),
    original_unit: z.string().meta({ description: 'The unit the device reported in.', examples: ['count'] }),
  })
  .meta({ id: 'ValueSource', description: 'The device a value came from, and what it reported before conversion.' });
export type ValueSource = z.infer<typeof ValueSource>;
