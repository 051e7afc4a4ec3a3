// The cost of a changed day as counted by the table engine itself: four devices, sixty metrics
// each, one month.

import { metricRow } from '../../shared/catalog/metrics.ts';
import { patchConfiguration } from '../../shared/consolidation/configuration.ts';
import { realisticDay } from '../unit/measurements/codec/realistic-day.ts';
import { openEngineDomainWorld } from './domain-world.ts';
import { runWriter } from './run-writer.ts';

export interface DayCosts {
  metrics: number;
  /** Write units of the normalized and the canonical day together. */
  unitsPerChangedDay: number;
  /** Puts of days if another upload brings the same values. */
  putsWhenNothingChanged: number;
  /** For a rebuild that changes ten of the thirty days. */
  rebuildQueries: number;
  rebuildPuts: number;
}

const days = Array.from({ length: 30 }, (_none, i) => new Date(Date.UTC(2026, 2, 1 + i)).toISOString().slice(0, 10));
const devices = [
  ['apple_health', 'wrist'],
  ['apple_health', 'phone'],
  ['samsung_health', 'ring'],
  ['health_connect', 'scale'],
] as const;

export async function measureDayCosts(): Promise<DayCosts> {
  const calls: { operation: string; writeUnits: number }[] = [];
  const world = await openEngineDomainWorld((call) => calls.push(call));
  const countCalls = async (work: () => Promise<void>) => {
    const before = calls.length;
    await work();
    return calls.slice(before);
  };
  const puts = (tableCalls: typeof calls) => tableCalls.filter(({ operation }) => operation === 'PutItem');
  try {
    const user = await world.user();
    const metrics = [...realisticDay(0).keys()];
    const upload = ([provider, type]: (typeof devices)[number], change: number, device = {}) =>
      world.upload(user, provider, {
        time_zone: 'UTC',
        device: { name: type, model: type, type, ...device },
        daily: days.flatMap((date, seed) =>
          [...realisticDay(seed)].map(([metric, { value }]) => ({
            date,
            metric,
            value: metric === 'steps' ? value + change : value,
            unit: metricRow(metric).unit,
          })),
        ),
      });
    for (const device of devices) await upload(device, 0);
    await runWriter(world.deps, user);

    await upload(devices[0], 7);
    const changed = puts(await countCalls(() => runWriter(world.deps, user)));
    await upload(devices[0], 7, { name: 'another name' });
    const unchanged = puts(await countCalls(() => runWriter(world.deps, user)));

    const some = days.slice(0, 10).map((date) => ({ date, metric: 'steps', value: 90_000, unit: 'count' }));
    await world.upload(user, devices[2][0], {
      time_zone: 'UTC',
      device: { name: 'ring', model: 'ring', type: 'ring' },
      daily: some,
    });
    await runWriter(world.deps, user);
    world.clock.advance(10_000);
    await patchConfiguration(world.deps, world.caller, user, { metrics: { steps: { method: 'max' } } });
    const rebuilt = await countCalls(() => runWriter(world.deps, user));
    return {
      metrics: metrics.length,
      unitsPerChangedDay: changed.reduce((sum, { writeUnits }) => sum + writeUnits, 0) / days.length,
      putsWhenNothingChanged: unchanged.length,
      rebuildQueries: rebuilt.filter(({ operation }) => operation === 'Query').length,
      rebuildPuts: puts(rebuilt).length,
    };
  } finally {
    await world.localTable.stop();
  }
}
