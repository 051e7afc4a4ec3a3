// Makes canonical days anew from what the devices said, and writes only those that differ.

import { datesBeside, daysAside } from '../consolidation/beside.ts';
import { compareDays } from '../consolidation/day-difference.ts';
import { changedMetrics, compileMerge } from '../consolidation/merge-day.ts';
import { packCanonicalRow } from '../measurements/codec/canonical-day.ts';
import { type CanonicalItem, dayRows, type NormalizedItem } from '../measurements/rows/day-rows.ts';
import { allHeld } from '../platform/all-held.ts';
import { dateRuns } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { believed, devicesWithData, type Subject } from '../users/subject.ts';
import { mustHold } from './work.ts';

export interface DayToWrite {
  /** The day to write. */
  day: CanonicalItem;
  metrics: string[];
}

/** The days to make, those beside them included, by date. */
export type NormalizedDays = ReadonlyMap<string, NormalizedItem>;

/** What must be written for a day; undefined when the stored day is already right. */
export type CompareDay = (
  date: string,
  normalized: NormalizedDays,
  stored: CanonicalItem | undefined,
) => DayToWrite | undefined;

export function differencesFor({ devices, state }: Subject): CompareDay {
  const compare = compareDays(compileMerge(devicesWithData(devices).map(believed), state.settings));
  return (date, normalized, stored) => {
    const day = normalized.get(date);
    if (!day) return undefined;
    const beside = datesBeside(date).flatMap((other) => normalized.get(other) ?? []);
    const difference = compare(
      day.packed,
      stored?.packed,
      beside.map(({ packed }) => packed),
    );
    if (!difference) return undefined;
    const { merged, stored: before } = difference;
    // Revisions only grow: a smaller sum is an older view, and is refused.
    const from = beside.reduce((sum, { revision }) => sum + revision, day.revision);
    return {
      day: { date, packed: packCanonicalRow(merged), from, generation: state.generation },
      metrics: changedMetrics(merged, before),
    };
  };
}

interface Consolidating {
  /** Saves the first look at what the devices said. */
  known?: NormalizedDays | undefined;
  /** Is told what differs before it is written. */
  note?: (differences: readonly DayToWrite[]) => Promise<void>;
}

/** Consolidates these days with the user's settings as they were read. Returns those that differed. */
export async function consolidateDays(
  deps: Deps,
  subject: Subject,
  dates: readonly string[],
  { known, note }: Consolidating = {},
): Promise<string[]> {
  if (dates.length === 0) return [];
  const differences = await differencesOn(deps, subject, dates, known);
  if (differences.length === 0) return [];
  await note?.(differences);
  await writeDays(deps, subject.user.id, differences);
  return differences.map(({ day }) => day.date).sort();
}

async function differencesOn(
  deps: Deps,
  subject: Subject,
  dates: readonly string[],
  known: NormalizedDays | undefined,
): Promise<DayToWrite[]> {
  const userId = subject.user.id;
  const differenceOn = differencesFor(subject);
  const [normalized, canonical] = await Promise.all([
    known ?? normalizedAround(deps, userId, dates),
    dayRows(deps.store).canonicalOn(userId, dates),
  ]);
  return dates.flatMap((date) => differenceOn(date, normalized, canonical.get(date)) ?? []);
}

/** What the devices said on these days and those beside them: one Query for each run of days. */
export async function normalizedAround(
  { store }: Pick<Deps, 'store'>,
  userId: string,
  dates: readonly string[],
): Promise<Map<string, NormalizedItem>> {
  const found = new Map<string, NormalizedItem>();
  const runs = dateRuns(dates, daysAside);
  await Promise.all(
    runs.map(async ({ from, to }) => {
      for await (const day of dayRows(store).normalizedBetween(userId, from, to)) found.set(day.date, day);
    }),
  );
  return found;
}

export async function writeDays(deps: Deps, userId: string, differences: readonly DayToWrite[]): Promise<void> {
  mustHold(await allHeld(differences, ({ day }) => dayRows(deps.store).replaceCanonical(userId, day)));
}
