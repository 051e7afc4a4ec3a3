import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { mergeRule } from '../../../shared/catalog/merge-rule.ts';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { encodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { allDays } from '../../../shared/measurements/date-span.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { scoreRows, unpackScoreDay } from '../../../shared/measurements/rows/score-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { messageGraceMs } from '../../../shared/system/pending-kinds.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { createUser, presentUser, updateUser } from '../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { readEvents } from '../../harness/outbox.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { addDevice } from '../../harness/stored-data.ts';
import { addPendingScores } from './rescored-user.ts';

const minute = 60_000;
const hour = 60 * minute;
/** The day on which the test clock begins, at noon. */
const today = '2026-03-10';
const yesterday = addDays(today, -1);
const callers = {
  live: { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 },
  sandbox: { kind: 'api_key', account: 'acc_1', env: 'sandbox', form: 2 },
} as const satisfies Record<string, Caller>;

let world: MemoryDeps;
let deps: Deps;
let releaseClock: () => void;

beforeEach(() => {
  world = memoryDeps();
  // Every pass happens at a single instant.
  releaseClock = world.clock.freeze();
  ({ deps } = world);
});

/** Advances the clock; only a sweep wakes the writer of a user for what becomes due. */
async function passTime(ms: number): Promise<void> {
  const untilMs = world.clock.now() + ms;
  for (let nextMs = nextSweepMs(); nextMs <= untilMs; nextMs = nextSweepMs()) {
    world.clock.advance(nextMs - world.clock.now());
    await sweepOnce();
  }
  world.clock.advance(untilMs - world.clock.now());
}
function nextSweepMs(): number {
  const due = world.table.rows().filter(({ duePk }) => String(duePk).startsWith('DUE#user#'));
  const times = due.map(({ dueSk }) => Number(String(dueSk).split('#')[0]) + messageGraceMs + 1);
  return Math.max(world.clock.now() + 1, Math.min(...times));
}

/** Runs the writer at once for each user that the sweep wakes. */
async function sweepOnce(): Promise<string[]> {
  const before = world.sentTo('user').length;
  await sweepWorker(deps)();
  const woken = world
    .sentTo('user')
    .slice(before)
    .map((body) => userIn(body));
  for (const user of woken) await runWriter(deps, user);
  return woken;
}

const Job = z.object({ user_id: z.string() });
const userIn = (body: unknown): string => Job.parse(body).user_id;

async function setMetrics(user: string, date: string, values: Partial<Record<MetricId, number>>): Promise<void> {
  const before = (await dayRows(deps.store).readCanonical(user, [date])).get(date);
  const entries = Object.entries(values) as [MetricId, number][];
  await dayRows(deps.store).replaceCanonical(user, {
    date,
    packed: encodeCanonicalDay(new Map(entries.map(([metric, value]) => [metric, { value, source: 0 }]))),
    revisionSum: (before?.revisionSum ?? 0) + 1,
    generation: 0,
    mergeRule,
  });
}

/** Acts as the pass of an upload does: the data changes, and so do its pending scores. */
async function recordSteps(user: string, date: string, steps: number, more: Partial<Record<MetricId, number>> = {}) {
  await setMetrics(user, date, { steps, ...more });
  await addPendingScores(deps, user, date, date);
  await runWriter(deps, user);
}

const night = { asleep: 420, time_in_bed: 450, longest_sleep: 420 } as const;

async function storeNight(user: string, startMs: number, endMs: number): Promise<void> {
  const { sleep } = sessionRows(deps.store);
  const revision = (await sleep.readDates(user, [today])).get(today)?.revision ?? 0;
  const minutes = { asleepMinutes: null, deepMinutes: null, lightMinutes: null, remMinutes: null };
  const session = {
    ...{ id: 'slp_1', device: 0, receivedMs: 0, startMs, endMs, offsetMinutes: null },
    ...{ ...minutes, awakeMinutes: null, inBedMinutes: null },
  };
  await sleep.replace(user, { date: today, sessions: [session], revision });
}

async function createUserWithSteps(caller: Caller = callers.live): Promise<string> {
  const { id } = await createUser(deps, caller, {});
  for (let back = 20; back > 0; back--) await setMetrics(id, addDays(today, -back), { steps: 8000 });
  await addPendingScores(deps, id, allDays.from, allDays.to);
  await runWriter(deps, id);
  return id;
}

async function scoresOn(user: string, date: string) {
  for await (const row of scoreRows(deps.store).iterateBetween(user, date, date))
    return unpackScoreDay(row, scoringGeneration);
  return undefined;
}
const strainOn = async (user: string, date = today) => (await scoresOn(user, date))?.scores.get('strain_score')?.value;
const listScoreEvents = (user: string) =>
  readEvents(world.table.rows())
    .filter((event) => event.type === 'score.updated' && event.user === user)
    .map(({ more }) => more);
const readPendingDays = async (user: string) => (await userRows(deps.store).findById(user))?.scores.days;

test.each([callers.live, callers.sandbox])(
  'uploads throughout the day change its scores at 0, 5 and 10 minutes and then every six hours, with one event each ($env)',
  async (caller) => {
    const user = await createUserWithSteps(caller);
    const startMs = world.clock.now();
    const minutes = new Set<number>();
    const before = listScoreEvents(user).length;
    for (let n = 0; world.clock.now() < startMs + 13 * hour; n++) {
      await recordSteps(user, today, 4000 + ((7 * n) % 23) * 300);
      await passTime(n < 20 ? minute : 20 * minute);
      minutes.add(Math.floor((((await scoresOn(user, today))?.computedMs ?? 0) - startMs) / minute));
    }
    expect([...minutes]).toEqual([0, 5, 10, 370, 730]);
    expect(listScoreEvents(user).length - before).toBe(minutes.size);
    await passTime(6 * hour);
    expect(await readPendingDays(user)).toEqual([]);
  },
);

test('a delayed change is stored with its due time and written then, without new data', async () => {
  const user = await createUserWithSteps();
  await recordSteps(user, today, 1000);
  const changedMs = world.clock.now();
  const first = await strainOn(user);
  const eventCount = listScoreEvents(user).length;
  for (const steps of [9000, 10_000, 11_000]) {
    await passTime(minute);
    await recordSteps(user, today, steps);
    const dueMs = changedMs + 5 * minute;
    expect(await readPendingDays(user)).toEqual([{ from: today, to: today, dueMs, atOnce: false }]);
  }
  expect(await strainOn(user)).toBe(first);
  expect(listScoreEvents(user)).toHaveLength(eventCount);
  await passTime(2 * minute - 1);
  expect(await sweepOnce()).toEqual([]);
  await runWriter(deps, user);
  expect(await strainOn(user)).toBe(first);
  await passTime(2);
  expect(await strainOn(user)).not.toBe(first);
  expect(listScoreEvents(user).slice(eventCount)).toEqual([
    { scores: ['strain_score'], from_date: today, to_date: today },
  ]);
  expect(await readPendingDays(user)).toEqual([]);
  await passTime(hour);
  expect(listScoreEvents(user)).toHaveLength(eventCount + 1);
});

test('a delayed change is written by the first pass after its due time, regardless of why the pass runs', async () => {
  const user = await createUserWithSteps();
  await recordSteps(user, today, 1000);
  await recordSteps(user, today, 9000);
  const first = await strainOn(user);
  world.clock.advance(5 * minute);
  // Another upload arrives before the sweep.
  await recordSteps(user, addDays(today, -10), 8100);
  expect(await strainOn(user)).not.toBe(first);
  expect(await readPendingDays(user)).toEqual([]);
});

test('a delay of hours is found by the sweep when it is over, and not before', async () => {
  const user = await createUserWithSteps();
  for (let n = 1; n <= 5; n++) {
    await recordSteps(user, today, 3000 * n);
    await passTime(5 * minute);
  }
  const delayedValue = await strainOn(user);
  expect(await readPendingDays(user)).toMatchObject([{ from: today, to: today }]);
  const dueMs = (await readPendingDays(user))?.[0]?.dueMs ?? 0;
  world.clock.advance(dueMs - world.clock.now() - 1);
  expect(await sweepOnce()).toEqual([]);
  await runWriter(deps, user);
  expect(await strainOn(user)).toBe(delayedValue);
  world.clock.advance(2);
  expect(await sweepOnce()).toEqual([user]);
  expect(await strainOn(user)).not.toBe(delayedValue);
  expect(await readPendingDays(user)).toEqual([]);
});

test('a new score is written even if others of the day are delayed, and the time of each is recorded', async () => {
  const user = await createUserWithSteps();
  await recordSteps(user, today, 1000);
  await passTime(minute);
  const strain = await strainOn(user);
  const strainMs = (await scoresOn(user, today))?.computedMs ?? 0;
  await recordSteps(user, today, 12_000, night);
  const day = await scoresOn(user, today);
  expect(day?.scores.has('sleep_score')).toBe(true);
  expect(await strainOn(user)).toBe(strain);
  expect(day?.earlierMs).toEqual(new Map([['strain_score', strainMs]]));
  expect(day?.computedMs).toBe(world.clock.now());
  expect(listScoreEvents(user).at(-1)).toEqual({ scores: ['sleep_score'], from_date: today, to_date: today });
  await passTime(5 * minute + 1);
  expect(await strainOn(user)).not.toBe(strain);
  expect((await scoresOn(user, today))?.earlierMs).toBeUndefined();
});

describe('no change is delayed', () => {
  /** Today's score has just changed, so that new data alone would be delayed. */
  async function createChangedUser(): Promise<[user: string, value: number | undefined]> {
    const user = await createUserWithSteps();
    await recordSteps(user, today, 1000);
    await recordSteps(user, yesterday, 7000);
    await passTime(minute);
    return [user, await strainOn(user)];
  }

  test('when settings change, even if data of the same days changes too', async () => {
    const [user, before] = await createChangedUser();
    await setMetrics(user, today, { steps: 12_000 });
    await addPendingScores(deps, user, today, today, { atOnce: true });
    await addPendingScores(deps, user, today, today);
    await runWriter(deps, user);
    expect(await strainOn(user)).not.toBe(before);
  });

  test('when the profile changes, and a delayed change is written with it', async () => {
    const [user, before] = await createChangedUser();
    await recordSteps(user, today, 12_000);
    await passTime(minute);
    expect(await strainOn(user)).toBe(before);
    await updateUser(deps, callers.live, user, { profile: { height_cm: 181 } });
    await runWriter(deps, user);
    expect(await strainOn(user)).not.toBe(before);
  });

  test('when days before yesterday are corrected, unlike yesterday and today', async () => {
    const [user, before] = await createChangedUser();
    const earlier = addDays(today, -2);
    const previousValue = await strainOn(user, earlier);
    const previousYesterday = await strainOn(user, yesterday);
    await recordSteps(user, earlier, 30_000);
    expect(await strainOn(user, earlier)).not.toBe(previousValue);
    expect([await strainOn(user, yesterday), await strainOn(user)]).toEqual([previousYesterday, before]);
    expect(await readPendingDays(user)).toMatchObject([{ from: yesterday, to: today }]);
    await passTime(5 * minute + 1);
    expect(await strainOn(user, yesterday)).not.toBe(previousYesterday);
    expect(await readPendingDays(user)).toEqual([]);
  });

  test('when the main sleep ends later than the one that was scored', async () => {
    const user = await createUserWithSteps();
    await addDevice(deps, user);
    await updateUser(deps, callers.live, user, { profile: { date_of_birth: '1990-01-01' } });
    const midnightMs = Date.parse(`${today}T00:00:00Z`);
    const sleepScore = async () => (await scoresOn(user, today))?.scores.get('sleep_score')?.value;
    for (const [wokeAt, asleep] of [
      [5, 240],
      [7, 330],
      [9, 450],
    ] as const) {
      const before = await sleepScore();
      await storeNight(user, midnightMs, midnightMs + wokeAt * hour);
      await recordSteps(user, today, 5000, { asleep, longest_sleep: asleep, time_in_bed: asleep });
      expect(await sleepScore()).not.toBe(before);
      await passTime(minute);
    }
    // The same night, corrected.
    const before = await sleepScore();
    await recordSteps(user, today, 5000, { asleep: 300, longest_sleep: 300, time_in_bed: 480 });
    expect(await sleepScore()).toBe(before);
  });
});

test('data that removes a score is delayed like other data, and the user stays ready', async () => {
  const user = await createUserWithSteps();
  await recordSteps(user, today, 1000);
  await passTime(minute);
  const scoredMs = (await userRows(deps.store).findById(user))?.lastScoreMs;
  await setMetrics(user, today, { weight: 70 });
  await addPendingScores(deps, user, today, today);
  await passTime(minute);
  expect(await strainOn(user)).toBeDefined();
  // What readers see was computed then.
  expect((await userRows(deps.store).findById(user))?.lastScoreMs).toBe(scoredMs);
  await passTime(4 * minute + 1);
  expect(await strainOn(user)).toBeUndefined();
  const row = await userRows(deps.store).findById(user);
  expect(row && presentUser(row, {}).score_status).toBe('ready');
  // It does not come back at once.
  await recordSteps(user, today, 2000);
  await passTime(minute);
  expect(await strainOn(user)).toBeUndefined();
  await passTime(5 * minute);
  expect(await strainOn(user)).toBeDefined();
});

test('the intervals hold even if the clock moves within a pass', async () => {
  const user = await createUserWithSteps();
  releaseClock();
  await recordSteps(user, today, 1000);
  await passTime(minute);
  const eventCount = listScoreEvents(user).length;
  for (let n = 2; n <= 6; n++) {
    await recordSteps(user, today, 2000 * n);
    await passTime(minute + 1000);
  }
  expect(listScoreEvents(user).length - eventCount).toBe(1);
});
