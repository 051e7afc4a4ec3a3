// The body of an unauthenticated request costs next to nothing: the CPU time of the whole process
// for each rejected request, for every route and size up to its limit.
import { measureRefusals } from '../refusals.ts';
import type { Measure } from '../row.ts';

export const measure: Measure = async () => {
  const refusals = await measureRefusals();
  return [
    ...refusals.map(({ route, sender, bytes, status, cpuMs }) => ({
      name: `refused ${route}, ${bytes / 1000} kB of ${sender}, ${status}: CPU`,
      unit: 'ms',
      value: cpuMs,
      bound: { max: 100 },
    })),
    {
      name: 'refused: largest answer',
      unit: 'kB',
      value: Math.max(...refusals.map(({ responseBytes }) => responseBytes)) / 1000,
      bound: { max: 10 },
    },
  ];
};
