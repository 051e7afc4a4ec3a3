// A phone's first sync through the whole local system, with 20 simultaneous uploads: the time until
// every value is correct, and the cost.
import { dollarsOf, dollarsOfCpu } from '../costs/dollars.ts';
import { totalOf } from '../costs/usage.ts';
import { measureFirstSync } from '../first-sync.ts';
import type { Calls } from '../metered-host.ts';
import type { HistoryShape } from '../phone-history.ts';
import type { Measure, Row } from '../row.ts';

/** Two years of a phone and a watch: 100,000 samples. */
const twoYears: HistoryShape = {
  days: 730,
  samples: {
    steps: 22_000,
    distance: 22_000,
    active_calories: 24_000,
    heart_rate: 16_000,
    resting_energy: 11_000,
    flights_climbed: 3_000,
    resting_heart_rate: 730,
    heart_rate_variability: 1_270,
  },
  workouts: 200,
  traced: 60,
  uploads: 20,
  order: 'by metric',
};
/** A year with a heart rate every five minutes: 140,525 samples. */
const denseYear: HistoryShape = {
  days: 365,
  samples: {
    steps: 25 * 365,
    distance: 25 * 365,
    active_calories: 30 * 365,
    heart_rate: 288 * 365,
    resting_energy: 12 * 365,
    flights_climbed: 3 * 365,
    resting_heart_rate: 365,
    heart_rate_variability: 365,
  },
  workouts: 100,
  traced: 30,
  uploads: 20,
  order: 'by day',
};

export const measure: Measure = async () => [
  ...(await measureRows('first sync, 730 days, 100,000 samples', twoYears, 30)),
  ...(await measureRows('user-year, 140,525 samples', denseYear, 14)),
];

async function measureRows(name: string, shape: HistoryShape, maxSeconds: number): Promise<Row[]> {
  const measured = await measureFirstSync(shape);
  const millions = measured.samples / 1e6;
  const units = (kind: 'readUnits' | 'writeUnits') => sumOf(measured.calls, kind) / (measured.samples / 1000);
  const inexact = Object.values(measured.roundedEach).reduce((sum, days) => sum + days, 0);
  if (process.env['BENCH_DETAILS']) process.stderr.write(`${JSON.stringify({ name, ...measured }, null, 2)}\n`);
  if (measured.otherLoadShare > 0.1)
    process.stderr.write(
      `Other processes used ${Math.round(measured.otherLoadShare * 100)}% of the machine, so the seconds are unreliable.\n`,
    );
  return [
    { name: `${name}: readable and right`, unit: 's', value: measured.seconds, bound: { max: maxSeconds } },
    { name: `${name}: last upload answered`, unit: 's', value: measured.answeredSeconds },
    { name: `${name}: host`, unit: 'CPU s per million', value: measured.hostCpuSeconds / millions },
    ...(measured.engineCpuSeconds === undefined
      ? []
      : [{ name: `${name}: table engine`, unit: 'CPU s per million', value: measured.engineCpuSeconds / millions }]),
    { name: `${name}: table calls`, unit: 'calls', value: sumOf(measured.calls, 'calls') },
    { name: `${name}: read units`, unit: 'per 1,000 samples', value: units('readUnits') },
    { name: `${name}: write units`, unit: 'per 1,000 samples', value: units('writeUnits') },
    { name: `${name}: function runs`, unit: 'runs', value: totalOf(measured.usage, 'runs') },
    { name: `${name}: queue messages`, unit: 'messages', value: totalOf(measured.usage, 'sentMessages') },
    ...(['onDemand', 'provisioned'] as const).map((capacity) => ({
      name: `${name}: ${capacity === 'onDemand' ? 'on demand' : 'provisioned'}`,
      unit: '$',
      value: dollarsOf(measured.usage, capacity) + dollarsOfCpu(measured.hostCpuSeconds),
    })),
    { name: `${name}: memory growth`, unit: 'MB', value: measured.memoryGrowthBytes / 1e6 },
    { name: `${name}: values of samples rounded one by one`, unit: 'days', value: inexact, bound: { max: 0 } },
  ];
}

const sumOf = (calls: Calls, kind: keyof Calls[string]): number =>
  Object.values(calls).reduce((sum, each) => sum + each[kind], 0);
