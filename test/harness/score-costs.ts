// What scoring a changed day costs, counted by the table engine itself: a person with sixty metrics on each of six weeks.
import { ingestUser } from '../../shared/domain/ingest/ingest-user.ts';
import { recomputeScores } from '../../shared/domain/scores/recompute.ts';
import { metricRow } from '../../shared/model/metrics.ts';
import { realisticDay } from '../shared/store/codec/realistic-day.ts';
import { openWorkshop } from './worker-deps.ts';

export interface ScoringCost {
  calls: number;
  readUnits: number;
  writeUnits: number;
}
export interface ScoringCosts {
  /** The newest day changes: nothing comes after it. */
  today: ScoringCost;
  /** It changes what is usual on every day since. */
  fourWeeksAgo: ScoringCost;
  /** The message comes again, and there is nothing to do. */
  again: ScoringCost;
}

const days = Array.from({ length: 42 }, (_none, i) => new Date(Date.UTC(2026, 1, 1 + i)).toISOString().slice(0, 10));
const minute = 60_000;

export async function measureScoringCosts(): Promise<ScoringCosts> {
  const calls: { operation: string; readUnits: number; writeUnits: number }[] = [];
  const shop = await openWorkshop((call) => calls.push(call));
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
      await ingestUser(shop.deps, user);
      shop.clock.advance(2 * minute);
    };
    const scoring = async (): Promise<ScoringCost> => {
      const before = calls.length;
      await recomputeScores(shop.deps, user);
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
    return { today, fourWeeksAgo, again: await scoring() };
  } finally {
    await shop.place.stop();
  }
}
