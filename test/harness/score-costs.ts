// What a pass with scores costs, counted by the table engine itself: a person with sixty metrics on each of six weeks.

import { metricRow } from '../../shared/catalog/metrics.ts';
import { dayMs, utcDay } from '../../shared/platform/time/local-day.ts';
import { realisticDay } from '../unit/measurements/codec/realistic-day.ts';
import { openWorkshop } from './worker-deps.ts';
import { write } from './write-person.ts';

export interface ScoringCost {
  calls: number;
  readUnits: number;
  writeUnits: number;
}
/** Of the person's writer, for an upload that brings sixty metrics of one day; the door is not counted. */
export interface ScoringCosts {
  /** The newest day changes, which is before yesterday: nothing comes after it. */
  today: ScoringCost;
  /** It changes what is usual on every day since. */
  fourWeeksAgo: ScoringCost;
  /** The message comes again, and there is nothing to do. */
  again: ScoringCost;
  /** Today changes a second time, and its scores have to wait; then a third time, while they wait. */
  held: ScoringCost;
  heldAgain: ScoringCost;
  /** A message comes while they wait. */
  whileHeld: ScoringCost;
  /** Their time comes, without an upload. */
  written: ScoringCost;
}
const minute = 60_000;

export async function measureScoringCosts(): Promise<ScoringCosts> {
  const calls: { operation: string; readUnits: number; writeUnits: number }[] = [];
  const shop = await openWorkshop((call) => calls.push(call));
  const lastMs = shop.clock.now();
  const days = Array.from({ length: 42 }, (_none, i) => utcDay(lastMs - (43 - i) * dayMs));
  try {
    const user = await shop.user({ profile: { date_of_birth: '1990-05-17', height_cm: 175 } });
    const passing = async (): Promise<ScoringCost> => {
      const before = calls.length;
      await write(shop.deps, user);
      const made = calls.slice(before);
      return {
        calls: made.length,
        readUnits: made.reduce((sum, { readUnits }) => sum + readUnits, 0),
        writeUnits: made.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
      };
    };
    const change = async (dates: readonly string[], seed: number): Promise<ScoringCost> => {
      shop.clock.advance(minute);
      await shop.upload(user, 'apple_health', {
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
      return passing();
    };
    await change(days, 0);
    const today = await change(days.slice(-1), 100);
    const fourWeeksAgo = await change(days.slice(-28, -27), 200);
    const again = await passing();
    const now = utcDay(shop.clock.now());
    await change([now], 300);
    const held = await change([now], 301);
    const whileHeld = await passing();
    const heldAgain = await change([now], 302);
    shop.clock.advance(5 * minute);
    return { today, fourWeeksAgo, again, held, heldAgain, whileHeld, written: await passing() };
  } finally {
    await shop.place.stop();
  }
}
