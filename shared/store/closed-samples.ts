// What is known of a phone's rows of samples without reading them: one small item beside its slots
// (`open-samples.ts`). An hour of ten metrics would otherwise ask the table ten times for rows of the
// day before. It is written before the rows that it describes: it may name too many, never too few.
import * as z from 'zod';
import { datesInRange, utcDay } from '../model/local-day.ts';
import type { KeptSampleDay } from './sample-day.ts';

const CopiedDay = z.object({
  utcDay: z.string(),
  /** When its last sample ends. */
  endsMs: z.number(),
});

export const ClosedSamples = z.object({
  /** No row is of a later UTC day; empty without rows. */
  through: z.string(),
  /** No sample in a row ends later, but for those of the copied day. */
  endsMs: z.number(),
  /** A day that was closed and not changed since: its slots say what its rows say. */
  copied: CopiedDay.nullable(),
});
export type ClosedSamples = z.infer<typeof ClosedSamples>;

export const noRows: ClosedSamples = { through: '', endsMs: Number.MIN_SAFE_INTEGER, copied: null };

/** Between two instants, the first included. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** Whether a UTC day may have rows that say more than its slots. */
export const mayHaveRows = ({ through, copied }: ClosedSamples, day: string): boolean =>
  day <= through && day !== copied?.utcDay;

/** Whether samples that begin within the span, or reach into it, may stand in rows only. */
export const mayStandInRows = (closed: ClosedSamples, { fromMs, toMs }: TimeSpan): boolean =>
  closed.endsMs >= fromMs || datesInRange(utcDay(fromMs), utcDay(toMs - 1)).some((day) => mayHaveRows(closed, day));

/** As they are when these rows stand, too. */
export function withRows(closed: ClosedSamples, rows: readonly KeptSampleDay[]): ClosedSamples {
  const isChanged = rows.some((row) => row.utcDay === closed.copied?.utcDay);
  const { through, endsMs, copied } = isChanged ? withoutCopy(closed) : closed;
  return {
    through: rows.reduce((last, row) => (row.utcDay > last ? row.utcDay : last), through),
    endsMs: Math.max(endsMs, lastEnd(rows)),
    copied,
  };
}

/** As they are when this day, which had no row, stands in rows as it does in its slots. */
export function withCopy(closed: ClosedSamples, day: string, samples: readonly KeptSampleDay[]): ClosedSamples {
  if (closed.copied?.utcDay === day) return closed;
  const { through, endsMs } = withoutCopy(closed);
  return { through: day > through ? day : through, endsMs, copied: { utcDay: day, endsMs: lastEnd(samples) } };
}

/** As they are when the copied day stands in rows only. */
export const withoutCopy = ({ through, endsMs, copied }: ClosedSamples): ClosedSamples => ({
  through,
  endsMs: Math.max(endsMs, copied?.endsMs ?? endsMs),
  copied: null,
});

/** A sample without a length ends where it begins. */
function lastEnd(days: readonly KeptSampleDay[]): number {
  let last = noRows.endsMs;
  for (const { samples } of days) for (const { endMs } of samples) if (endMs > last) last = endMs;
  return last;
}
