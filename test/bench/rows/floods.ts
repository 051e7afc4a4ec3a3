// No caller can harm another: the memory of the whole process, and how long other callers wait,
// during floods.
import { measureFloods } from '../floods.ts';
import type { Measure } from '../row.ts';

export const measure: Measure = async () => {
  const { floods, peakBytes } = await measureFloods();
  if (process.env['BENCH_DETAILS'])
    for (const { latenciesMs, ...flood } of floods)
      process.stderr.write(`${JSON.stringify({ ...flood, others: latenciesMs.length })}\n`);
  return [
    ...floods.map(({ name, maxWaitMs, latenciesMs }) => ({
      name: `flood of ${name}: others wait, p99`,
      unit: 'ms',
      value: percentile(latenciesMs, 0.99),
      bound: { max: maxWaitMs },
    })),
    {
      name: 'floods: largest answer',
      unit: 'kB',
      value: Math.max(...floods.map(({ maxResponseBytes: largestAnswerBytes }) => largestAnswerBytes)) / 1000,
      bound: { max: 100 },
    },
    { name: 'floods: most memory of the process', unit: 'MB', value: peakBytes / 1e6, bound: { max: 512 } },
  ];
};

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
