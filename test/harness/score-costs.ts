// The cost of a pass with scores, as counted by the table engine itself: a user with sixty metrics
// on each day of six weeks.

import { metricRow } from '../../shared/catalog/metrics.ts';
import { dayMs, utcDay } from '../../shared/platform/time/local-day.ts';
import { realisticDay } from '../unit/measurements/codec/realistic-day.ts';
import { openEngineDomainWorld } from './domain-world.ts';
import { runWriter } from './run-writer.ts';

export interface ScoringCost {
  calls: number;
  readUnits: number;
  writeUnits: number;
}
/**
 * The cost of the user's writer for an upload with sixty metrics of one day, without the cost of
 * accepting the upload.
 */
export interface ScoringCosts {
  /** The newest day changes. It is before yesterday, and no day follows it. */
  today: ScoringCost;
  /** The change affects the baseline of every day since. */
  fourWeeksAgo: ScoringCost;
  /** The message is redelivered, and there is nothing to do. */
  again: ScoringCost;
  /**
   * Today changes a second time, and its scores are deferred; then a third time, while they are
   * deferred.
   */
  deferred: ScoringCost;
  deferredAgain: ScoringCost;
  /** A message arrives while they are deferred. */
  whileDeferred: ScoringCost;
  /** They become due, without an upload. */
  deferredWritten: ScoringCost;
}
const minute = 60_000;

export async function measureScoringCosts(): Promise<ScoringCosts> {
  const calls: { operation: string; readUnits: number; writeUnits: number }[] = [];
  const world = await openEngineDomainWorld((call) => calls.push(call));
  const lastMs = world.clock.now();
  const days = Array.from({ length: 42 }, (_none, i) => utcDay(lastMs - (43 - i) * dayMs));
  try {
    const user = await world.user({ profile: { date_of_birth: '1990-05-17', height_cm: 175 } });
    const measurePass = async (): Promise<ScoringCost> => {
      const before = calls.length;
      await runWriter(world.deps, user);
      const tableCalls = calls.slice(before);
      return {
        calls: tableCalls.length,
        readUnits: tableCalls.reduce((sum, { readUnits }) => sum + readUnits, 0),
        writeUnits: tableCalls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
      };
    };
    const change = async (dates: readonly string[], seed: number): Promise<ScoringCost> => {
      world.clock.advance(minute);
      await world.upload(user, 'apple_health', {
        time_zone: 'UTC',
        device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
        daily: dates.flatMap((date, at) =>
          [...realisticDay(seed + at)].map(([metric, { value }]) => ({
            date,
            metric,
            value,
            unit: metricRow(metric).unit,
          })),
        ),
      });
      return measurePass();
    };
    await change(days, 0);
    const today = await change(days.slice(-1), 100);
    const fourWeeksAgo = await change(days.slice(-28, -27), 200);
    const again = await measurePass();
    const now = utcDay(world.clock.now());
    await change([now], 300);
    const deferred = await change([now], 301);
    const whileDeferred = await measurePass();
    const deferredAgain = await change([now], 302);
    world.clock.advance(5 * minute);
    return { today, fourWeeksAgo, again, deferred, deferredAgain, whileDeferred, deferredWritten: await measurePass() };
  } finally {
    await world.localTable.stop();
  }
}
