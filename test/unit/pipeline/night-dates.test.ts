// A night counts on the day of its end, in the profile's zone or where it was slept, and its
// summary goes with it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeNormalizedDay } from '../../../shared/measurements/codec/normalized-day.ts';
import type { SleepRecord } from '../../../shared/measurements/records.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { planIngest } from '../../../shared/pipeline/plan-ingest.ts';
import { collectUnfinishedDays } from '../../../shared/pipeline/unfinished-days.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { createRacedUser, type RacedUser } from '../../harness/raced-user.ts';
import { addDevice, ring } from '../../harness/stored-data.ts';
import { intlDate } from '../catalog/intl-clock.ts';

const minuteMs = 60_000;
const night = (end: string, about: Partial<SleepRecord> = {}): SleepRecord => ({
  startMs: Date.parse(end) - 480 * minuteMs,
  endMs: Date.parse(end),
  offsetMinutes: null,
  asleepMinutes: 440,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
  ...about,
});

/** Plans and writes the records as ingest does for any source. */
async function ingest(user: RacedUser, sleep: SleepRecord[], receivedMs = 1): Promise<void> {
  const { store } = user.deps;
  const context = await readUserContext(user.deps, user.id);
  const [device] = context?.devices ?? [];
  if (!context || !device) throw new Error('the user has no device');
  const records = { samples: [], daily: [], sleep, workouts: [] };
  const upload = { receivedMs, timeZone: null, isLate: false, rejected: 0, rejections: [], records };
  const plan = await planIngest(user.deps, context, device, [upload], collectUnfinishedDays([]));
  for (const day of plan.sleep.days) expect(await sessionRows(store).sleep.replace(user.id, day)).toBe(true);
  for (const { date, packed, revision } of plan.days)
    expect(await dayRows(store).replaceNormalized(user.id, date, packed, revision)).toBe(true);
}

/** Returns the dates that have nights, after checking that the same days report sleep. */
async function datesOf(user: RacedUser): Promise<string[]> {
  const { store } = user.deps;
  const nightDates: string[] = [];
  for await (const { date, sessions } of sessionRows(store).sleep.iterateAll(user.id))
    if (sessions.length > 0) nightDates.push(date);
  const slept: string[] = [];
  for await (const { date, packed } of dayRows(store).iterateNormalized(user.id, '2000-01-01', '2100-01-01'))
    if ([...decodeNormalizedDay(packed).values()].some((values) => values.has('asleep'))) slept.push(date);
  expect(slept).toEqual(nightDates);
  return nightDates;
}

/** Returns the device's values for a day. */
async function readValuesOn(user: RacedUser, date: string): Promise<Record<string, number>> {
  const day = (await dayRows(user.deps.store).readNormalized(user.id, [date])).get(date);
  const [values] = day ? decodeNormalizedDay(day.packed).values() : [];
  return Object.fromEntries(Array.from(values ?? [], ([metric, { value }]) => [metric, value]));
}

async function createSleeper(timezone: string | null): Promise<RacedUser> {
  const user = await createRacedUser(memoryTable(), timezone);
  await updateUser(user.deps, user.caller, user.id, { day_rule: 'profile' });
  await user.settle();
  await addDevice(user.deps, user.id, ring);
  return user;
}

async function moveTo(user: RacedUser, timezone: string): Promise<void> {
  await updateUser(user.deps, user.caller, user.id, { timezone });
  await user.settle();
}

test("a night counts on the day it ends in the profile's zone, and moves when that zone changes", async () => {
  const user = await createSleeper('Europe/Berlin');
  await ingest(user, [night('2026-03-05T23:30:00Z', { offsetMinutes: -300 })]);
  expect(await datesOf(user)).toEqual(['2026-03-06']);
  await moveTo(user, 'Pacific/Honolulu');
  expect(await datesOf(user)).toEqual(['2026-03-05']);
});

test('the summary of a night moves with it, and a later version can remove a value', async () => {
  const user = await createSleeper('Europe/Berlin');
  const nightSummary = { sleep_heart_rate: { value: 52 }, resting_heart_rate: { value: 48 } };
  await ingest(user, [night('2026-03-05T23:30:00Z', { summary: nightSummary })]);
  expect(await readValuesOn(user, '2026-03-06')).toMatchObject({
    sleep_heart_rate: 52,
    resting_heart_rate: 48,
    asleep: 440,
  });
  await moveTo(user, 'Pacific/Honolulu');
  expect(await readValuesOn(user, '2026-03-06')).toEqual({});
  expect(await readValuesOn(user, '2026-03-05')).toMatchObject({
    sleep_heart_rate: 52,
    resting_heart_rate: 48,
    asleep: 440,
  });
  await ingest(user, [night('2026-03-05T23:30:00Z', { summary: { resting_heart_rate: null } })], 2);
  expect(await readValuesOn(user, '2026-03-05')).toMatchObject({ sleep_heart_rate: 52 });
  expect(await readValuesOn(user, '2026-03-05')).not.toHaveProperty('resting_heart_rate');
});

const zones = ['UTC', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Honolulu', 'America/New_York', 'Europe/Berlin'];

test('for any offset, zone and rule, a night is stored on one day before and after a time-zone change', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: Date.UTC(2026, 0, 5), max: Date.UTC(2026, 11, 20) }),
      fc.integer({ min: 1, max: 1_440 }),
      fc.option(fc.integer({ min: -56, max: 56 }).map((quarters) => quarters * 15)),
      fc.constantFrom('profile', 'recorded'),
      fc.constantFrom(...zones),
      fc.constantFrom(...zones),
      async (endMs, minutes, offsetMinutes, day_rule, from, to) => {
        const naive = (zone: string): string =>
          day_rule === 'profile' || offsetMinutes === null
            ? intlDate(zone, endMs)
            : new Date(endMs + offsetMinutes * minuteMs).toISOString().slice(0, 10);
        const user = await createSleeper(from);
        await updateUser(user.deps, user.caller, user.id, { day_rule });
        await user.settle();
        const slept = night(new Date(endMs).toISOString(), { startMs: endMs - minutes * minuteMs, offsetMinutes });
        await ingest(user, [slept]);
        expect(await datesOf(user)).toEqual([naive(from)]);
        await moveTo(user, to);
        expect(await datesOf(user)).toEqual([naive(to)]);
      },
    ),
    { numRuns: 100 },
  ));
