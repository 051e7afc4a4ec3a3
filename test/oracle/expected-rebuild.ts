// What a calendar change does to a user's days, and the one event that must announce it.
import type { Mismatch } from './compare.ts';
import { dayValue } from './day-value.ts';
import { visibleNights, visibleWorkouts } from './expected-sessions.ts';
import { applyProfile, type ModelUser } from './model-user.ts';
import { absolute, add, compare, subtract } from './rational.ts';
import { groupOf, groups } from './rules.ts';
import type { ScenarioEvent, WireUpload } from './scenario.ts';
import type { View } from './view.ts';
import { datesBetween } from './zone-clock.ts';

/** `subject.synced` as it appears in the feed. */
export interface RebuildEvent {
  user_id: string;
  metrics: string[];
  from_date: string | null;
  to_date: string | null;
}
/** Dates by metric, and dates of nights and workouts. */
interface ChangedDates {
  cells: Map<string, Set<string>>;
  sessions: Set<string>;
}
export interface ExpectedRebuild {
  /** Changes that readers see. */
  certain: ChangedDates;
  /**
   * Everything that counts on another day, visible or not: of a lower-ranked device, or with an
   * unchanged value.
   */
  possible: ChangedDates;
}

/**
 * The user with the data before an event and the calendar after it. Null if the event does not set
 * a calendar.
 */
export function withNextCalendar(user: ModelUser, event: ScenarioEvent): ModelUser | null {
  const next = { ...user };
  if (event.kind === 'profile') applyProfile(next, event.patch);
  else if (event.kind === 'upload' && user.timezone === null) next.timezone = event.body.time_zone;
  else return null;
  return next;
}

export function expectedRebuild(before: View, after: View, range: { from: string; to: string }): ExpectedRebuild {
  const possible = findMoves(before, after, datesBetween(range.from, range.to));
  const cells = new Map<string, Set<string>>();
  for (const [metric, dates] of possible.cells)
    for (const date of dates) if (hasChangedValue(before, after, metric, date)) addCell(cells, metric, date);
  const sessions = new Set<string>();
  for (const { report, date } of visibleNights(after, range.from, range.to))
    addMove(sessions, before.dateOfNight(report), date);
  for (const { report, date } of visibleWorkouts(after, range.from, range.to))
    addMove(sessions, before.dateOfWorkout(report), date);
  return { certain: { cells, sessions }, possible };
}

/** Where a device's data differs from before. The metrics of a group move together. */
function findMoves(before: View, after: View, dates: readonly string[]): ChangedDates {
  const cells = new Map<string, Set<string>>();
  const sessions = new Set<string>();
  const move = (metric: string, date: string): void => {
    for (const member of groupOf(metric)?.members ?? [metric]) addCell(cells, member, date);
  };
  for (const device of after.user.devices) {
    const measured = new Set([...device.samples.values()].map(({ metric }) => metric));
    for (const date of dates) {
      for (const metric of measured)
        if (!sameParts(before.partsOn(device, metric, date), after.partsOn(device, metric, date))) move(metric, date);
      const [then, now] = [before.nightsOn(device, date), after.nightsOn(device, date)];
      if (then.length !== now.length || then.some((night) => !now.includes(night)))
        for (const { key, lead } of groups) if (key === 'sleep') move(lead, date);
    }
    for (const night of device.nights.values()) addMove(sessions, before.dateOfNight(night), after.dateOfNight(night));
    for (const workout of device.workouts.values())
      addMove(sessions, before.dateOfWorkout(workout), after.dateOfWorkout(workout));
  }
  return { cells, sessions };
}

type Parts = ReturnType<View['partsOn']>;
const sameParts = (a: Parts, b: Parts): boolean =>
  a.length === b.length &&
  a.every(({ sample, from, to }) =>
    b.some((other) => other.sample === sample && other.from === from && other.to === to),
  );

function hasChangedValue(before: View, after: View, metric: string, date: string): boolean {
  const [then, now] = [dayValue(before, metric, date), dayValue(after, metric, date)];
  if (!then || !now) return then !== now;
  return compare(absolute(subtract(then.value, now.value)), add(then.tolerance, now.tolerance)) > 0;
}

function addCell(cells: Map<string, Set<string>>, metric: string, date: string): void {
  cells.set(metric, (cells.get(metric) ?? new Set()).add(date));
}

function addMove(sessions: Set<string>, before: string, after: string): void {
  if (before !== after) sessions.add(before).add(after);
}

const datesOf = ({ cells, sessions }: ChangedDates): string[] =>
  [...new Set([...sessions, ...[...cells.values()].flatMap((dates) => [...dates])])].sort();

/** Whether a reader of the user's data sees a change. */
export const hasVisibleChange = ({ certain: { cells, sessions } }: ExpectedRebuild): boolean =>
  cells.size + sessions.size > 0;

/**
 * There must be exactly one event if readers see a change, none if nothing counts on another day,
 * and it must name what changed.
 */
export function rebuildMismatches(
  { certain, possible }: ExpectedRebuild,
  userId: string,
  events: readonly RebuildEvent[],
): Mismatch[] {
  const [changed, moved] = [datesOf(certain), datesOf(possible)];
  const wrongCount = countMismatches(events, changed.length > 0 ? 1 : 0, moved.length > 0 ? 1 : 0);
  const [event] = events;
  if (wrongCount.length > 0 || !event) return wrongCount;
  const { user_id, metrics, from_date, to_date } = event;
  const wrong = (field: string, got: unknown, expected: unknown): Mismatch[] => [
    { where: `subject.synced.${field}`, got, expected },
  ];
  const named =
    [...certain.cells.keys()].every((metric) => metrics.includes(metric)) &&
    metrics.every((metric) => possible.cells.has(metric));
  const dated = [from_date, to_date].every((date) => date !== null && moved.includes(date));
  const covers = changed.every((date) => (from_date ?? '') <= date && date <= (to_date ?? ''));
  return [
    ...(user_id === userId ? [] : wrong('user_id', user_id, userId)),
    ...(named
      ? []
      : wrong('metrics', metrics, { these: [...certain.cells.keys()], among: [...possible.cells.keys()] })),
    ...(dated && covers ? [] : wrong('from_date and to_date', [from_date, to_date], { these: changed, among: moved })),
  ];
}

/** The same for an upload that set the zone. Its own records may be announced as new data. */
export function zoneFillMismatches(
  { certain }: ExpectedRebuild,
  { samples = [], daily = [], sleep = [], workouts = [] }: WireUpload,
  events: readonly RebuildEvent[],
  maxCount = 1,
): Mismatch[] {
  const uploadedMetrics = new Set([...samples, ...daily].flatMap(({ metric }) => groupOf(metric)?.members ?? [metric]));
  if (sleep.length > 0) for (const { members } of groups) for (const member of members) uploadedMetrics.add(member);
  const cells = [...certain.cells.keys()].some((metric) => !uploadedMetrics.has(metric));
  const sessions = certain.sessions.size > 0 && sleep.length + workouts.length === 0;
  return countMismatches(events, cells || sessions ? 1 : 0, maxCount);
}

const countMismatches = (events: readonly RebuildEvent[], minCount: number, maxCount: number): Mismatch[] =>
  minCount <= events.length && events.length <= maxCount
    ? []
    : [
        {
          where: 'subject.synced',
          got: events,
          expected: minCount === maxCount ? `${maxCount} of them` : `${minCount} to ${maxCount} of them`,
        },
      ];
