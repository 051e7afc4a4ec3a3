// The same records in any order, with duplicates and in any split, give the same canonical days.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import type { EngineDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';

export const watch = { name: 'Watch', model: 'W1', type: 'wrist' };
export const phone = { name: 'Phone', model: 'P1', type: 'phone' };
export type Records = { samples?: object[]; daily?: object[]; sleep?: object[]; workouts?: object[] };
export const body = (device: object, records: Records) => ({ time_zone: 'UTC', device, ...records });

/** All canonical values of a user: day -> metric -> value. */
export async function canonical(
  { deps }: EngineDomainWorld,
  user: string,
): Promise<Record<string, Record<string, number>>> {
  const days: Record<string, Record<string, number>> = {};
  for await (const { date, packed } of dayRows(deps.store).iterateCanonical(user, '0000-01-01', '9999-12-31'))
    days[date] = Object.fromEntries([...decodeCanonicalDay(packed)].map(([id, { value }]) => [id, value]));
  return days;
}

const instant = fc
  .integer({ min: 0, max: 5 * 24 * 12 })
  .map((cell) => Date.parse('2026-03-27T00:00:00Z') + cell * 300_000);
export const iso = (ms: number) => new Date(ms).toISOString();
const sample = fc.record({
  metric: fc.constantFrom('steps', 'active_calories'),
  start: instant.map(iso),
  value: fc.integer({ min: 0, max: 500 }),
});
export const asSample = ({ metric, start, value }: { metric: string; start: string; value: number }) => ({
  metric,
  start,
  value,
  unit: metric === 'steps' ? 'count' : 'kcal',
});
const total = fc.record({
  date: fc.constantFrom('2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'),
  metric: fc.constantFrom('steps', 'resting_heart_rate', 'weight'),
  value: fc.integer({ min: 40, max: 90 }),
});
const units: Record<string, string> = { steps: 'count', resting_heart_rate: 'bpm', weight: 'kg' };
const asTotal = ({ date, metric, value }: { date: string; metric: string; value: number }) => ({
  date,
  metric,
  value,
  unit: units[metric],
});

interface DeviceRecord {
  device: 'watch' | 'phone';
  kind: 'samples' | 'daily';
  record: { metric: string; start: string; value: number } | { date: string; metric: string; value: number };
}
const keyOf = ({ device, record }: DeviceRecord) =>
  `${device} ${record.metric} ${'start' in record ? record.start : record.date}`;
const device = fc.constantFrom<'watch' | 'phone'>('watch', 'phone');
const deviceRecords: fc.Arbitrary<DeviceRecord[]> = fc.uniqueArray(
  fc.oneof(
    fc.record({ device, kind: fc.constant('samples' as const), record: sample }),
    fc.record({ device, kind: fc.constant('daily' as const), record: total }),
  ),
  { selector: keyOf, minLength: 1, maxLength: 40 },
);

/**
 * The expected days, written without reference to the product. Watches rank before phones, except
 * for weight. Stated totals take precedence over sums. Samples of both devices count where the
 * higher-ranked one did not measure at the same time. Days are those of Berlin.
 */
function oracle(records: DeviceRecord[]): Record<string, Record<string, number>> {
  const berlin = (start: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.parse(start));
  const dateOf = ({ record }: DeviceRecord) => ('start' in record ? berlin(record.start) : record.date);
  const days: Record<string, Record<string, number>> = {};
  for (const [date, ofDay] of Map.groupBy(records, dateOf))
    for (const [metric, ofMetric] of Map.groupBy(ofDay, ({ record }) => record.metric)) {
      const best = metric === 'weight' ? 'phone' : 'watch';
      const line = ofMetric.toSorted((a, b) => Number(b.device === best) - Number(a.device === best));
      const total = line.find(({ device: who, record }) => who === line[0]?.device && 'date' in record);
      const moments = new Map<string, number>();
      for (const { record } of line)
        if ('start' in record && !moments.has(record.start)) moments.set(record.start, record.value);
      const value = total?.record.value ?? [...moments.values()].reduce((sum, each) => sum + each, 0);
      days[date] = { ...days[date], [metric]: value };
    }
  return days;
}

/** Defines the test, which tries `numRuns` orders. */
export function tryAnyOrder(openWorld: () => EngineDomainWorld, numRuns: number): void {
  test('the same records give the same canonical days in any order, with duplicates and in any split', async () => {
    const world = openWorld();
    await fc.assert(
      fc.asyncProperty(deviceRecords, fc.infiniteStream(fc.nat()), async (records, numbers) => {
        const next = () => numbers.next().value;
        const user = await world.user({ timezone: 'Europe/Berlin' });
        const shuffled = [...records, ...records.slice(0, next() % (records.length + 1))]
          .map((record) => ({ record, at: next() }))
          .sort((a, b) => a.at - b.at)
          .map(({ record }) => record);
        while (shuffled.length > 0) {
          const part = shuffled.splice(0, 1 + (next() % 12));
          for (const [who, deviceInfo] of [
            ['watch', watch],
            ['phone', phone],
          ] as const) {
            const own = part.filter((each) => each.device === who);
            const samples = own.flatMap(({ kind, record }) =>
              kind === 'samples' && 'start' in record ? [asSample(record)] : [],
            );
            const daily = own.flatMap(({ kind, record }) =>
              kind === 'daily' && 'date' in record ? [asTotal(record)] : [],
            );
            if (own.length > 0)
              await world.upload(
                user,
                who === 'watch' ? 'apple_health' : 'samsung_health',
                body(deviceInfo, { samples, daily }),
              );
          }
          if (next() % 3 === 0) await Promise.all([runWriter(world.deps, user), runWriter(world.deps, user)]);
        }
        await runWriter(world.deps, user);
        expect(await canonical(world, user)).toEqual(oracle(records));
      }),
      { numRuns },
    );
  }, 120_000);
}
