// Checks that events announce every change that readers can see, and no upload twice.
import { changedMetrics } from '../../../shared/consolidation/merge-day.ts';
import type { EventRow } from '../../../shared/events/event-row.ts';
import {
  type CanonicalRow,
  emptyCanonicalRow,
  unpackCanonicalRow,
} from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { scoreRows, unpackScoreDay } from '../../../shared/measurements/rows/score-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { listPendingEvents } from '../outbox.ts';
import { pendingCommands } from '../pending-commands.ts';
import type { RacedUser } from '../raced-user.ts';

export interface ObservableState {
  days: Map<string, CanonicalRow>;
  /** Keyed by kind and date. */
  sessions: Map<string, string>;
  /** Keyed by date and score. */
  scores: Map<string, string>;
  events: EventRow[];
  /** The number of pending uploads. */
  uploads: number;
}

export async function readObservableState({ deps, id, table }: RacedUser): Promise<ObservableState> {
  const { store } = deps;
  const days = new Map<string, CanonicalRow>();
  for await (const { date, packed } of dayRows(store).iterateCanonical(id, '0000', '9999', { consistent: true }))
    days.set(date, unpackCanonicalRow(packed));
  const sessions = new Map<string, string>();
  for (const kind of ['sleep', 'workouts'] as const)
    for await (const { date, sessions: own } of sessionRows(store)[kind].iterateAll(id))
      if (own.length > 0) sessions.set(`${kind} ${date}`, JSON.stringify(own.map(({ receivedMs: _, ...row }) => row)));
  const scores = new Map<string, string>();
  const generation = (await userRows(store).findById(id))?.scoreGeneration ?? 0;
  for await (const stored of scoreRows(store).iterateBetween(id, '0000', '9999', { consistent: true }))
    for (const [score, value] of unpackScoreDay(stored, generation)?.scores ?? [])
      scores.set(`${score} ${stored.date}`, JSON.stringify(value));
  const events = (await listPendingEvents(store)).filter(({ user }) => user === id);
  const uploads = (await pendingCommands(table, id)).filter(({ kind }) => kind === 'upload').length;
  return { days, sessions, scores, events, uploads };
}

/**
 * Returns missing and superfluous events after this number of uploads. The list must be empty at
 * the end of a race.
 */
export async function findEventProblems(user: RacedUser, before: ObservableState, uploads: number): Promise<string[]> {
  const after = await readObservableState(user);
  const known = new Set(before.events.map(({ id }) => id));
  const published = after.events.filter(({ id }) => !known.has(id));
  const ofType = (...types: string[]) => published.filter(({ type }) => types.includes(type));
  const covers = ({ more }: EventRow, date: string): boolean =>
    String(more?.from_date) <= date && date <= String(more?.to_date);
  const dataEvents = ofType('data.updated', 'subject.synced');
  const unpublished: string[] = [];
  for (const date of new Set([...before.days.keys(), ...after.days.keys()]))
    for (const metric of changedMetrics(dayOf(after, date), dayOf(before, date)))
      if (!dataEvents.some((event) => event.metrics?.includes(metric) && covers(event, date)))
        unpublished.push(`${metric} of ${date}`);
  for (const name of findDifferences(before.sessions, after.sessions)) {
    const [kind, date = ''] = name.split(' ');
    const announces = ({ type, more }: EventRow): boolean =>
      type === 'subject.synced' || (kind === 'sleep' ? more?.sleep === true : more?.workouts === true);
    if (!dataEvents.some((event) => announces(event) && covers(event, date))) unpublished.push(name);
  }
  for (const name of findDifferences(before.scores, after.scores)) {
    const [score = '', date = ''] = name.split(' ');
    const announces = (event: EventRow): boolean => event.more?.scores?.some((id) => id === score) ?? false;
    if (!ofType('score.updated').some((event) => announces(event) && covers(event, date))) unpublished.push(name);
  }
  const updates = ofType('data.updated').length;
  return [
    ...unpublished.map((name) => `no event announced ${name}`),
    ...(updates > before.uploads + uploads ? [`${updates} events of uploads`] : []),
  ];
}

const dayOf = ({ days }: ObservableState, date: string): CanonicalRow => days.get(date) ?? emptyCanonicalRow();

const findDifferences = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
