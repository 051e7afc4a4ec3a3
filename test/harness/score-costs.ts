// What scoring a changed day costs, counted by the table engine itself: a person with sixty metrics on each of six weeks.
import { dayMs, utcDay } from '../../shared/model/local-day.ts';
import { metricRow } from '../../shared/model/metrics.ts';
import { realisticDay } from '../shared/store/codec/realistic-day.ts';
import { openWorkshop } from './worker-deps.ts';
import { write } from './write-person.ts';

export interface ScoringCost {
  calls: number;
  readUnits: number;
  writeUnits: number;
}
export interface ScoringCosts {
  /** The newest day changes, which is before yesterday: nothing comes after it. */
  today: ScoringCost;
  /** It changes what is usual on every day since. */
  fourWeeksAgo: ScoringCost;
  /** The message comes again, and there is nothing to do. */
  again: ScoringCost;
  /** Today changes a second time, and has to wait; then a third time, while it waits; then its time comes. */
  held: ScoringCost;
  heldAgain: ScoringCost;
  written: ScoringCost;
  /** A message comes while today waits. */
  whileHeld: ScoringCost;
}
const minute = 60_000;

export async function measureScoringCosts(): Promise<ScoringCosts> {
  const calls: { operation: string; readUnits: number; writeUnits: number }[] = [];
  const shop = await openWorkshop((call) => calls.push(call));
  const lastMs = shop.clock.now();
  const days = Array.from({ length: 42 }, (_none, i) => utcDay(lastMs - (43 - i) * dayMs));
  try {
    const user = await shop.user({ profile: { date_of_birth: '1990-05-17', height_cm: 175 } });
    const change = async (dates: readonly string[], seed: number) => {
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
      await write(shop.deps, user);
      shop.clock.advance(2 * minute);
    };
    const scoring = async (): Promise<ScoringCost> => {
      const before = calls.length;
      await write(shop.deps, user);
      const made = calls.slice(before);
      return {
        calls: made.length,
        readUnits: made.reduce((sum, { readUnits }) => sum + readUnits, 0),
        writeUnits: made.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
      };
    };
    await change(days, 0);
    await scoring();
    await change(days.slice(-1), 100);
    const today = await scoring();
    await change(days.slice(-28, -27), 200);
    const fourWeeksAgo = await scoring();
    const again = await scoring();
    const now = utcDay(shop.clock.now());
    await change([now], 300);
    await scoring();
    await change([now], 301);
    const held = await scoring();
    const whileHeld = await scoring();
    await change([now], 302);
    const heldAgain = await scoring();
    shop.clock.advance(5 * minute);
    return { today, fourWeeksAgo, again, held, heldAgain, whileHeld, written: await scoring() };
  } finally {
    await shop.place.stop();
  }
}
