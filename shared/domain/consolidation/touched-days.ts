// Makes canonical days anew from what the devices said, and writes only those that differ.
import { packCanonicalRow } from '../../store/codec/canonical-day.ts';
import type { CanonicalItem, NormalizedItem } from '../../store/days.ts';
import type { Deps } from '../deps.ts';
import { activeDevices, believed, type Subject, subjectOf } from '../subject.ts';
import { compareDays } from './day-difference.ts';
import { changedMetrics, compileMerge } from './merge-day.ts';

export interface DayDifference {
  /** The day to write. */
  day: CanonicalItem;
  metrics: string[];
}

/** What must be written for a day; undefined when the stored day is already right. */
export type Difference = (normalized: NormalizedItem, stored: CanonicalItem | undefined) => DayDifference | undefined;

export function differencesFor({ devices, state }: Subject): Difference {
  const merge = compileMerge(activeDevices(devices).map(believed), state.settings);
  // Originals stay in the normalized day: most reads never ask for them, and every read would pay for their bytes.
  const compare = compareDays((rows) => {
    const { values, sources } = merge(rows);
    return { values, sources };
  });
  return ({ date, packed, revision }, stored) => {
    const difference = compare(packed, stored?.packed);
    if (!difference) return undefined;
    const { merged, stored: before } = difference;
    const day = { date, packed: packCanonicalRow(merged), from: revision, generation: state.generation };
    return { day, metrics: changedMetrics(merged, before) };
  };
}

/** Consolidates these days with the user's settings as they are now; undisturbed or not, the days end up right. */
export async function consolidateDays(deps: Deps, subject: Subject, dates: readonly string[]): Promise<void> {
  let now: Subject | undefined = subject;
  let left = [...dates];
  for (let tries = 0; now && left.length > 0; tries++) {
    if (tries > 10) throw new Error('canonical days keep changing under our hands');
    left = await consolidateOnce(deps, now, left);
    if (left.length > 0) now = await subjectOf(deps, subject.user.id);
  }
}

/** Returns the days that somebody else made from something newer meanwhile. */
async function consolidateOnce(deps: Deps, subject: Subject, dates: readonly string[]): Promise<string[]> {
  const userId = subject.user.id;
  const differenceOn = differencesFor(subject);
  const [normalized, canonical] = await Promise.all([
    deps.store.days.normalizedOn(userId, dates),
    deps.store.days.canonicalOn(userId, dates),
  ]);
  const differences = dates.flatMap((date) => {
    const day = normalized.get(date);
    return day ? (differenceOn(day, canonical.get(date)) ?? []) : [];
  });
  return writeDays(deps, userId, differences);
}

const writesAtOnce = 16;

export async function writeDays(deps: Deps, userId: string, differences: readonly DayDifference[]): Promise<string[]> {
  const refused: string[] = [];
  for (let at = 0; at < differences.length; at += writesAtOnce)
    await Promise.all(
      differences.slice(at, at + writesAtOnce).map(async ({ day }) => {
        if (!(await deps.store.days.replaceCanonical(userId, day))) refused.push(day.date);
      }),
    );
  return refused;
}
