// A summary of a phone's sample rows, stored as one small item next to its slots
// (`open-sample-rows.ts`). Without it, an hour of ten metrics would need ten queries for the
// previous day's rows. It is written before the rows it describes, so it may list too many rows but
// never too few.
import * as z from 'zod';
import { datesInRange, utcDay } from '../../platform/time/local-day.ts';
import type { Span } from '../timeline.ts';
import type { StoredSampleDay } from './sample-day.ts';

const CopiedDay = z.object({
  utcDay: z.string(),
  /** When the day's last sample ends. */
  endsMs: z.number(),
});

export const ClosedSamples = z.object({
  /** The last UTC day that may have rows; empty when there are none. */
  through: z.string(),
  /** The latest end of a sample in any row, excluding the rows of the copied day. */
  endsMs: z.number(),
  /**
   * A closed day that has not changed since it was copied: its slots and its rows hold the same
   * samples.
   */
  copied: CopiedDay.nullable(),
});
export type ClosedSamples = z.infer<typeof ClosedSamples>;

export const noClosedSamples: ClosedSamples = { through: '', endsMs: Number.MIN_SAFE_INTEGER, copied: null };

/** Whether a UTC day may have rows with samples that are not in its slots. */
export const mayHaveRows = ({ through, copied }: ClosedSamples, day: string): boolean =>
  day <= through && day !== copied?.utcDay;

/** Whether samples that start in the span, or extend into it, may exist only in rows. */
export const mayExistInRows = (closed: ClosedSamples, { startMs, endMs }: Span): boolean =>
  closed.endsMs >= startMs || datesInRange(utcDay(startMs), utcDay(endMs - 1)).some((day) => mayHaveRows(closed, day));

/** Returns the summary after these rows are written. */
export function addRowsToSummary(closed: ClosedSamples, rows: readonly StoredSampleDay[]): ClosedSamples {
  const isChanged = rows.some((row) => row.utcDay === closed.copied?.utcDay);
  const { through, endsMs, copied } = isChanged ? removeCopyFromSummary(closed) : closed;
  return {
    through: rows.reduce((last, row) => (row.utcDay > last ? row.utcDay : last), through),
    endsMs: Math.max(endsMs, findLastEndMs(rows)),
    copied,
  };
}

/** Returns the summary after a day without rows is copied from its slots into rows. */
export function addCopyToSummary(
  closed: ClosedSamples,
  day: string,
  samples: readonly StoredSampleDay[],
): ClosedSamples {
  if (closed.copied?.utcDay === day) return closed;
  const { through, endsMs } = removeCopyFromSummary(closed);
  return { through: day > through ? day : through, endsMs, copied: { utcDay: day, endsMs: findLastEndMs(samples) } };
}

/** Returns the summary once the slots of the copied day no longer count. */
export const removeCopyFromSummary = ({ through, endsMs, copied }: ClosedSamples): ClosedSamples => ({
  through,
  endsMs: Math.max(endsMs, copied?.endsMs ?? endsMs),
  copied: null,
});

/** Returns the latest end of any sample; an instantaneous sample ends when it starts. */
function findLastEndMs(days: readonly StoredSampleDay[]): number {
  let last = noClosedSamples.endsMs;
  for (const { samples } of days) for (const { endMs } of samples) if (endMs > last) last = endMs;
  return last;
}
