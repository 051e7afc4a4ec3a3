// A phone's first sync through the whole local system, 20 uploads at once: how long until every value is right, and what it costs.
import { dollarsOf, dollarsOfCpu } from '../costs/dollars.ts';
import { totalOf } from '../costs/usage.ts';
import { measureFirstSync } from '../first-sync.ts';
import type { Calls } from '../metered-host.ts';
import type { Shape } from '../phone-history.ts';
import type { Measure, Row } from '../row.ts';

/** Two years of a phone and a watch: 100,000 samples. */
const twoYears: Shape = {
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
const denseYear: Shape = {
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
  ...(await rowsOf('first sync, 730 days, 100,000 samples', twoYears, 30)),
  ...(await rowsOf('user-year, 140,525 samples', denseYear, 14)),
];

async function rowsOf(name: string, shape: Shape, atMostSeconds: number): Promise<Row[]> {
  const told = await measureFirstSync(shape);
  const millions = told.samples / 1e6;
  const units = (kind: 'readUnits' | 'writeUnits') => sumOf(told.calls, kind) / (told.samples / 1000);
  const inexact = Object.values(told.roundedEach).reduce((sum, days) => sum + days, 0);
  if (process.env['BENCH_DETAILS']) process.stderr.write(`${JSON.stringify({ name, ...told }, null, 2)}\n`);
  if (told.othersShare > 0.1)
    process.stderr.write(
      `${Math.round(told.othersShare * 100)} % of the machine was taken by others: seconds say little\n`,
    );
  return [
    { name: `${name}: readable and right`, unit: 's', value: told.seconds, hold: { atMost: atMostSeconds } },
    { name: `${name}: last upload answered`, unit: 's', value: told.answeredSeconds },
    { name: `${name}: host`, unit: 'CPU s per million', value: told.hostCpuSeconds / millions },
    ...(told.engineCpuSeconds === undefined
      ? []
      : [{ name: `${name}: table engine`, unit: 'CPU s per million', value: told.engineCpuSeconds / millions }]),
    { name: `${name}: table calls`, unit: 'calls', value: sumOf(told.calls, 'calls') },
    { name: `${name}: read units`, unit: 'per 1,000 samples', value: units('readUnits') },
    { name: `${name}: write units`, unit: 'per 1,000 samples', value: units('writeUnits') },
    { name: `${name}: function runs`, unit: 'runs', value: totalOf(told.usage, 'runs') },
    { name: `${name}: queue messages`, unit: 'messages', value: totalOf(told.usage, 'sentMessages') },
    ...(['onDemand', 'provisioned'] as const).map((capacity) => ({
      name: `${name}: ${capacity === 'onDemand' ? 'on demand' : 'provisioned'}`,
      unit: '$',
      value: dollarsOf(told.usage, capacity) + dollarsOfCpu(told.hostCpuSeconds),
    })),
    { name: `${name}: memory growth`, unit: 'MB', value: told.memoryGrowthBytes / 1e6 },
    { name: `${name}: values of samples rounded one by one`, unit: 'days', value: inexact, hold: { atMost: 0 } },
  ];
}

const sumOf = (calls: Calls, kind: keyof Calls[string]): number =>
  Object.values(calls).reduce((sum, each) => sum + each[kind], 0);
