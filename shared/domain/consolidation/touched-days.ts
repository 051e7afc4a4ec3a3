// Makes canonical days anew from what the devices said, and writes only those that differ.
import { type CanonicalRow, packCanonicalRow, unpackCanonicalRow } from '../../store/codec/canonical-day.ts';
import { unpackDeviceRows } from '../../store/codec/normalized-day.ts';
import type { CanonicalItem, NormalizedItem } from '../../store/days.ts';
import type { Deps } from '../deps.ts';
import { activeDevices, believed, type Subject, subjectOf } from '../subject.ts';
import { changedMetrics, compileMerge } from './merge-day.ts';

export type MergeDay = ReturnType<typeof compileMerge>;

export const mergerFor = ({ devices, state }: Subject): MergeDay =>
  compileMerge(activeDevices(devices).map(believed), state.settings);

export interface DayDifference {
  /** The day to write. */
  day: CanonicalItem;
  metrics: string[];
}

/** Undefined when the stored day is already right. */
export function differenceOn(
  merge: MergeDay,
  generation: number,
  normalized: NormalizedItem,
  stored: CanonicalItem | undefined,
): DayDifference | undefined {
  const merged = merge(unpackDeviceRows(normalized.packed));
  const metrics = changedMetrics(merged, stored ? unpackCanonicalRow(stored.packed) : noRow());
  if (metrics.length === 0) return undefined;
  const day = { date: normalized.date, packed: packCanonicalRow(merged), from: normalized.revision, generation };
  return { day, metrics };
}

const noRow = (): CanonicalRow => unpackCanonicalRow(emptyDay);
const emptyDay = packCanonicalRow({ values: new Float64Array(), sources: new Uint16Array() });

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
  const merge = mergerFor(subject);
  const [normalized, canonical] = await Promise.all([
    deps.store.days.normalizedOn(userId, dates),
    deps.store.days.canonicalOn(userId, dates),
  ]);
  const differences = dates.flatMap((date) => {
    const day = normalized.get(date);
    return day ? (differenceOn(merge, subject.state.generation, day, canonical.get(date)) ?? []) : [];
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
