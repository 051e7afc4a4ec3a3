// When a user changes the time zone, also west of UTC, days end at the new midnights and original
// values stay as they were sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { decodeNormalizedDay } from '../../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { readPartition } from '../../harness/raced-user.ts';
import { runWriter } from '../../harness/run-writer.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const watch = { name: 'Watch', model: 'W1', type: 'wrist' };
const sample = (metric: string, start: string, value: number, unit: string, more: object = {}) => ({
  metric,
  start: `2026-03-${start}Z`,
  value,
  unit,
  ...more,
});
/**
 * Records around the midnights of Honolulu (10:00 UTC), Los Angeles (07:00 UTC, on the 8th at
 * 08:00) and UTC.
 */
const records = {
  samples: [
    sample('steps', '10T09:30:00', 600, 'count', { end: '2026-03-10T10:30:00Z' }),
    sample('steps', '10T06:00:00', 90, 'count', { end: '2026-03-10T07:30:00Z' }),
    sample('steps', '08T07:30:00', 40, 'count', { end: '2026-03-08T08:30:00Z' }),
    sample('steps', '10T23:30:00', 20, 'count', { end: '2026-03-11T00:30:00Z' }),
    sample('steps', '10T02:00:00', 7, 'count', { utc_offset: '+00:00' }),
    sample('distance', '10T05:00:00', 2, 'mi', { end: '2026-03-10T05:30:00Z' }),
    sample('distance', '10T09:00:00', 1, 'mi', { end: '2026-03-10T11:00:00Z' }),
    sample('weight', '10T09:59:59', 154, 'lb'),
    sample('weight', '10T10:00:00', 155, 'lb'),
  ],
  daily: [{ date: '2026-03-10', metric: 'resting_heart_rate', value: 55, unit: 'bpm' }],
  sleep: [
    { start: '2026-03-10T01:00:00Z', end: '2026-03-10T09:00:00Z', asleep_minutes: 400 },
    { start: '2026-03-11T02:00:00Z', end: '2026-03-11T10:30:00Z', asleep_minutes: 410 },
  ],
  workouts: [{ type: 'running', start: '2026-03-10T03:00:00Z', end: '2026-03-10T04:00:00Z', calories: 300 }],
};

async function createUserIn(timezone: string): Promise<string> {
  const user = await world.user({ timezone });
  world.clock.advance(1_000);
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device: watch, ...records });
  await runWriter(world.deps, user);
  return user;
}
async function move(user: string, timezone: string): Promise<void> {
  await updateUser(world.deps, world.caller, user, { timezone });
  await runWriter(world.deps, user);
  world.clock.advance(workerWriteDeadlineMs);
  await runWriter(world.deps, user);
}

type ByDate<T> = Record<string, T>;

async function valuesOf(user: string): Promise<ByDate<Record<string, number>>> {
  const days: ByDate<Record<string, number>> = {};
  for await (const { date, packed } of dayRows(world.deps.store).iterateCanonical(user, '0000-01-01', '9999-12-31')) {
    const values = [...decodeCanonicalDay(packed)].map(([id, { value }]) => [id, value] as const);
    if (values.length > 0) days[date] = Object.fromEntries(values);
  }
  return days;
}

/** Returns the watch's normalized values of each day, with their originals. */
async function normalizedDaysOf(user: string): Promise<ByDate<object>> {
  const days: ByDate<object> = {};
  for await (const { date, packed } of dayRows(world.deps.store).iterateNormalized(user, '0000-01-01', '9999-12-31')) {
    const entries = [...(decodeNormalizedDay(packed).get(0) ?? [])];
    if (entries.length > 0) days[date] = Object.fromEntries(entries);
  }
  return days;
}

async function sessionsOf(user: string): Promise<ByDate<string[]>> {
  const days: ByDate<string[]> = {};
  const { sleep, workouts } = sessionRows(world.deps.store);
  for (const kind of [sleep, workouts])
    for await (const { date, sessions } of kind.iterateAll(user))
      if (sessions.length > 0)
        days[date] = [...(days[date] ?? []), ...sessions.map(({ startMs }) => new Date(startMs).toISOString())];
  return days;
}

const samplesOf = async (user: string) =>
  (await readPartition(world.localTable.table, user))
    .filter(({ sk }) => String(sk).startsWith('T#'))
    .map(({ sk, v }) => [sk, v]);

test('days end at the midnights of Honolulu, and original values in miles and pounds stay', async () => {
  const user = await createUserIn('UTC');
  const before = await samplesOf(user);
  await move(user, 'Pacific/Honolulu');
  const mile = 1.609344;
  expect(await valuesOf(user)).toEqual({
    '2026-03-07': { steps: 40 },
    '2026-03-09': {
      steps: 397,
      distance: expect.closeTo(2.5 * mile, 9),
      weight: expect.closeTo(69.853, 3),
      asleep: 400,
      longest_sleep: 400,
    },
    '2026-03-10': {
      steps: 320,
      distance: expect.closeTo(0.5 * mile, 9),
      weight: expect.closeTo(70.307, 3),
      resting_heart_rate: 55,
    },
    '2026-03-11': { asleep: 410, longest_sleep: 410 },
  });
  expect(await normalizedDaysOf(user)).toMatchObject({
    '2026-03-09': {
      distance: { original: { value: 2.5, unit: 'mi' } },
      weight: { original: { value: 154, unit: 'lb' } },
    },
    '2026-03-10': {
      distance: { original: { value: 0.5, unit: 'mi' } },
      weight: { original: { value: 155, unit: 'lb' } },
    },
  });
  expect(await sessionsOf(user)).toEqual({
    '2026-03-09': ['2026-03-10T01:00:00.000Z', '2026-03-10T03:00:00.000Z'],
    '2026-03-11': ['2026-03-11T02:00:00.000Z'],
  });
  expect(await samplesOf(user)).toEqual(before);
});

test('a day of 23 hours ends after 23 hours', async () => {
  const user = await createUserIn('UTC');
  await move(user, 'America/Los_Angeles');
  const values = await valuesOf(user);
  expect(values['2026-03-07']).toEqual({ steps: 20 });
  expect(values['2026-03-08']).toEqual({ steps: 20 });
  expect(values['2026-03-09']?.['steps']).toBe(60 + 7);
  expect(values['2026-03-10']?.['steps']).toBe(30 + 600 + 20);
});

describe('a time-zone change', () => {
  const readEvents = async (before: number) =>
    (await world.events()).slice(before).filter(({ type }) => type === 'subject.synced');

  test('publishes one event with all days from the first to the last that differ', async () => {
    const user = await createUserIn('UTC');
    const before = (await world.events()).length;
    await move(user, 'Pacific/Honolulu');
    expect(await readEvents(before)).toMatchObject([
      {
        metrics: ['asleep', 'distance', 'longest_sleep', 'steps', 'weight'],
        more: { from_date: '2026-03-07', to_date: '2026-03-11' },
      },
    ]);
  });

  test('that moves nothing publishes no event and writes no day', async () => {
    const user = await createUserIn('Europe/Berlin');
    const days = async () =>
      (await readPartition(world.deps.store.table, user)).filter(({ sk }) => /^[NDZW]#/.test(String(sk)));
    const [before, stood] = [(await world.events()).length, await days()];
    await move(user, 'Europe/Paris');
    expect(await readEvents(before)).toEqual([]);
    expect(stood.length).toBeGreaterThan(5);
    expect(await days()).toEqual(stood);
  });
});

describe('a user who changes the time zone has the same data as one who always lived there', () => {
  test.each([
    ['UTC', 'America/Los_Angeles'],
    ['UTC', 'Pacific/Honolulu'],
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ['Pacific/Honolulu', 'Asia/Kolkata'],
    ['America/Los_Angeles', 'UTC'],
  ])('from %s to %s', async (from, to) => {
    const [ada, bob] = [await createUserIn(from), await createUserIn(to)];
    await move(ada, to);
    expect(await valuesOf(ada)).toEqual(await valuesOf(bob));
    expect(await normalizedDaysOf(ada)).toEqual(await normalizedDaysOf(bob));
    expect(await sessionsOf(ada)).toEqual(await sessionsOf(bob));
    expect(await samplesOf(ada)).toEqual(await samplesOf(bob));
  });
});
