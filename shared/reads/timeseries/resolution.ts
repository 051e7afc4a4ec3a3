// The step lengths of a resampled timeseries.
import * as z from 'zod';

export const resolutionSeconds = { '1m': 60, '5m': 300, '15m': 900, '1h': 3600 } as const;
export const Resolution = z
  .enum(['1m', '5m', '15m', '1h'])
  .meta({ id: 'Resolution', description: 'The length of a step.', examples: ['5m'] });
export type Resolution = z.infer<typeof Resolution>;
