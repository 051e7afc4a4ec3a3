// Builds canonical days from the devices' normalized days, and writes only those that differ.

import { mergeRule } from '../catalog/merge-rule.ts';
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
  day: CanonicalItem;
  metrics: string[];
}

/** The days to build and their adjacent days, by date. */
export type NormalizedDays = ReadonlyMap<string, NormalizedItem>;

/** Returns the day to write; undefined when the stored day is already correct. */
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
    // Revisions only increase, so a smaller sum is an older view and is rejected.
    const from = adjacentDays.reduce((sum, { revision }) => sum + revision, day.revision);
    return {
      day: { date, packed: packCanonicalRow(merged), revisionSum: from, generation: state.generation, mergeRule },
      metrics: changedMetrics(merged, before),
    };
  };
}

interface ConsolidateOptions {
  /** Replaces the first read of the normalized days. */
  knownDays?: NormalizedDays | undefined;
  /** Called with the differences before they are written. */
  recordDifferences?: (differences: readonly DayToWrite[]) => Promise<void>;
}

/**
 * Consolidates these days with the user's settings as they were read. Returns the dates that
 * differed.
 */
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

/**
 * Reads the normalized days of these dates and their adjacent days, with one Query per run of days.
 */
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
