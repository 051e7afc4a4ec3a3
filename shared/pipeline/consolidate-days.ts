// Makes canonical days anew from what the devices said, and writes only those that differ.

import { adjacencyDays, adjacentDates } from '../consolidation/adjacent-days.ts';
import { createDayComparer } from '../consolidation/day-difference.ts';
import { changedMetrics, compileMerge } from '../consolidation/merge-day.ts';
import { packCanonicalRow } from '../measurements/codec/canonical-day.ts';
import { type CanonicalItem, dayRows, type NormalizedItem } from '../measurements/rows/day-rows.ts';
import { mergeDateRanges } from '../platform/time/local-day.ts';
import { writeAllConditionally } from '../platform/write-all-conditionally.ts';
import type { Deps } from '../system/deps.ts';
import { devicesWithData, toRankedDevice, type UserContext } from '../users/user-context.ts';
import { assertApplied } from './command-handler.ts';

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

export function createDayComparison({ devices, state }: UserContext): CompareDay {
  const compare = createDayComparer(compileMerge(devicesWithData(devices).map(toRankedDevice), state.settings));
  return (date, normalized, stored) => {
    const day = normalized.get(date);
    if (!day) return undefined;
    const adjacentDays = adjacentDates(date).flatMap((other) => normalized.get(other) ?? []);
    const difference = compare(
      day.packed,
      stored?.packed,
      adjacentDays.map(({ packed }) => packed),
    );
    if (!difference) return undefined;
    const { merged, stored: before } = difference;
    // Revisions only grow: a smaller sum is an older view, and is refused.
    const from = adjacentDays.reduce((sum, { revision }) => sum + revision, day.revision);
    return {
      day: { date, packed: packCanonicalRow(merged), revisionSum: from, generation: state.generation },
      metrics: changedMetrics(merged, before),
    };
  };
}

interface ConsolidateOptions {
  /** Saves the first look at what the devices said. */
  knownDays?: NormalizedDays | undefined;
  /** Is told what differs before it is written. */
  recordDifferences?: (differences: readonly DayToWrite[]) => Promise<void>;
}

/** Consolidates these days with the user's settings as they were read. Returns those that differed. */
export async function consolidateDays(
  deps: Deps,
  userContext: UserContext,
  dates: readonly string[],
  { knownDays, recordDifferences }: ConsolidateOptions = {},
): Promise<string[]> {
  if (dates.length === 0) return [];
  const differences = await findDifferences(deps, userContext, dates, knownDays);
  if (differences.length === 0) return [];
  await recordDifferences?.(differences);
  await writeDays(deps, userContext.user.id, differences);
  return differences.map(({ day }) => day.date).sort();
}

async function findDifferences(
  deps: Deps,
  userContext: UserContext,
  dates: readonly string[],
  knownDays: NormalizedDays | undefined,
): Promise<DayToWrite[]> {
  const userId = userContext.user.id;
  const compareDay = createDayComparison(userContext);
  const [normalized, canonical] = await Promise.all([
    knownDays ?? readNormalizedAround(deps, userId, dates),
    dayRows(deps.store).readCanonical(userId, dates),
  ]);
  return dates.flatMap((date) => compareDay(date, normalized, canonical.get(date)) ?? []);
}

/** What the devices said on these days and those beside them: one Query for each run of days. */
export async function readNormalizedAround(
  { store }: Pick<Deps, 'store'>,
  userId: string,
  dates: readonly string[],
): Promise<Map<string, NormalizedItem>> {
  const daysByDate = new Map<string, NormalizedItem>();
  const runs = mergeDateRanges(dates, adjacencyDays);
  await Promise.all(
    runs.map(async ({ from, to }) => {
      for await (const day of dayRows(store).iterateNormalized(userId, from, to)) daysByDate.set(day.date, day);
    }),
  );
  return daysByDate;
}

export async function writeDays(deps: Deps, userId: string, differences: readonly DayToWrite[]): Promise<void> {
  assertApplied(
    await writeAllConditionally(differences, ({ day }) => dayRows(deps.store).replaceCanonical(userId, day)),
  );
}
