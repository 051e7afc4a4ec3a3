// Every canonical day of a person is merged anew after a change of settings: resumable, announced once.

import { daysAside } from '../consolidation/beside.ts';
import { type Announced, withDay } from '../events/announced.ts';
import { subjectSynced } from '../events/new-event.ts';
import { everyDay } from '../measurements/every-day.ts';
import { type CanonicalItem, dayRows, type NormalizedItem } from '../measurements/rows/day-rows.ts';
import { addDays, daysBetween } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { commandRows, type RebuildCommand } from '../users/command-rows.ts';
import { stateRows } from '../users/state-rows.ts';
import type { Subject } from '../users/subject.ts';
import { differencesFor, writeDays } from './touched-days.ts';
import { mustHold, type Work } from './work.ts';

const daysPerStep = 200;
/** No step is begun after it: a small upload behind it waits for one pass at most. */
const mostMs = 10_000;

export const rebuilds: Work<'rebuild'> = {
  isLong: true,
  restMs: 1_000,
  async work(deps, subject, [command]) {
    if (!command) return { writes: [] };
    const { store, clock } = deps;
    const { user, state } = subject;
    const untilMs = clock.now() + mostMs;
    let { announced } = command;
    let through = command.cursor?.through ?? null;
    let isFirst = true;
    for await (const step of steps(deps, user.id, through)) {
      if (!isFirst && through !== null && clock.now() >= untilMs) {
        const cursor = { atMs: clock.now(), through, from: null, to: null };
        return { writes: [commandRows(store).continuing(user.id, command, cursor)], isContinued: true };
      }
      announced = await buildStep(deps, subject, step, { ...command, announced });
      through = step.dates.at(-1) ?? through;
      isFirst = false;
    }
    deps.log('info', 'rebuilt', { user_id: user.id, generation: state.generation, metrics: announced.metrics.length });
    const { from, to } = announced;
    return {
      writes: [
        commandRows(store).finishing(user.id, command),
        stateRows(store).built(user.id, state),
        ...(announced.metrics.length > 0 ? subjectSynced(deps, user, announced) : []),
      ],
      scores: from === null || to === null ? [] : [{ from, to, dueMs: 0, atOnce: true }],
    };
  },
};

interface Step {
  /** The days to build, in order. */
  dates: string[];
  normalized: Map<string, NormalizedItem>;
}

/** A step is ready when the days beside its last one have been read too. */
async function* steps({ store }: Deps, userId: string, through: string | null): AsyncGenerator<Step> {
  const normalized = new Map<string, NormalizedItem>();
  let waiting: string[] = [];
  const from = through === null ? everyDay.from : addDays(through, -daysAside);
  for await (const day of dayRows(store).normalizedBetween(userId, from, everyDay.to)) {
    normalized.set(day.date, day);
    if (through !== null && day.date <= through) continue;
    waiting.push(day.date);
    const last = waiting[daysPerStep - 1];
    if (last === undefined || daysBetween(last, day.date) < daysAside) continue;
    yield { dates: waiting.slice(0, daysPerStep), normalized };
    waiting = waiting.slice(daysPerStep);
    for (const date of normalized.keys()) if (daysBetween(date, last) > daysAside) normalized.delete(date);
  }
  if (waiting.length > 0) yield { dates: waiting, normalized };
}

/** What differs is to be announced before it is written, so that an event tells of it even if this pass dies. */
async function buildStep(
  deps: Deps,
  subject: Subject,
  { dates, normalized }: Step,
  command: RebuildCommand,
): Promise<Announced> {
  const userId = subject.user.id;
  const differenceOn = differencesFor(subject);
  const stored = await canonicalOf(deps, userId, dates);
  const differences = dates.flatMap((date) => differenceOn(date, normalized, stored.get(date)) ?? []);
  if (differences.length === 0) return command.announced;
  const announced = differences.reduce((sum, { day, metrics }) => withDay(sum, day.date, metrics), command.announced);
  mustHold(await commandRows(deps.store).announce(userId, command, announced));
  await writeDays(deps, userId, differences);
  return announced;
}

async function canonicalOf(deps: Deps, userId: string, dates: readonly string[]) {
  const [first, last] = [dates[0] ?? everyDay.to, dates.at(-1) ?? everyDay.from];
  const found = new Map<string, CanonicalItem>();
  for await (const day of dayRows(deps.store).canonicalBetween(userId, first, last, { consistent: true }))
    found.set(day.date, day);
  return found;
}
