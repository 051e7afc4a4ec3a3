// A person without a zone of their own: days are those of the zone that the phone told, with its
// changes of the clock.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingestUser } from '../../../../shared/domain/ingest/ingest-user.ts';
import { updateUser } from '../../../../shared/domain/users/users.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import type { MetricId } from '../../../../shared/model/metrics.ts';
import { decodeCanonicalDay } from '../../../../shared/store/codec/canonical-day.ts';
import { dayRows } from '../../../../shared/store/days.ts';
import { sampleRows } from '../../../../shared/store/samples.ts';
import { sessionRows } from '../../../../shared/store/sessions.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

const phone = { name: 'Phone', model: 'P1', type: 'phone' };
const newYork = 'America/New_York';

async function send(user: string, time_zone: string, records: object, device: object = phone): Promise<void> {
  shop.clock.advance(1_000);
  await shop.upload(user, 'apple_health', { time_zone, device, ...records });
  await ingestUser(shop.deps, user);
}

async function columnOf(user: string, metric: MetricId): Promise<Record<string, number>> {
  const days: Record<string, number> = {};
  for await (const { date, packed } of dayRows(shop.deps.store).canonicalBetween(user, '0000-01-01', '9999-12-31')) {
    const found = decodeCanonicalDay(packed).get(metric);
    if (found) days[date] = found.value;
  }
  return days;
}

async function allOf<T>(found: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of found) all.push(each);
  return all;
}

const sample = (metric: string, start: string, end: string, value: number, unit: string, more: object = {}) => ({
  metric,
  start,
  end,
  value,
  unit,
  ...more,
});

describe('a sample that the clocks change in', () => {
  test('stays on its day where the day has an hour more', async () => {
    const user = await shop.user({ timezone: null });
    // From 00:00 in summer time to 24:00 in winter time: 25 hours, one kilometre each but for the
    // last half hour.
    const walk = sample('distance', '2025-11-02T04:00:00Z', '2025-11-03T04:30:00Z', 24.5, 'km');
    await send(user, newYork, { samples: [walk] });
    expect(await columnOf(user, 'distance')).toEqual({ '2025-11-02': 24.5 });
  });

  test('is split at the midnight of the new time where the day has an hour less', async () => {
    const user = await shop.user({ timezone: null });
    // From 00:30 in winter time to 01:00 in summer time of the next day: 23.5 hours, of which one
    // lies behind midnight.
    const walk = sample('steps', '2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', 2_350, 'count');
    await send(user, newYork, { samples: [walk] });
    expect(await columnOf(user, 'steps')).toEqual({ '2025-03-09': 2_250, '2025-03-10': 100 });
  });

  test('is split by half an hour less, and passes over a day that a zone left out', async () => {
    const user = await shop.user({ timezone: null });
    // Lord Howe went from +11:00 to +10:30 on 6 April 2025; Samoa had no 30 December 2011.
    const island = sample('steps', '2025-04-05T13:00:00Z', '2025-04-06T14:00:00Z', 2_500, 'count');
    await send(user, 'Australia/Lord_Howe', { samples: [island] });
    const samoa = sample('flights_climbed', '2011-12-30T09:00:00Z', '2011-12-30T11:00:00Z', 8, 'count');
    await send(user, 'Pacific/Apia', { samples: [samoa] }, { ...phone, model: 'P2' });
    expect(await columnOf(user, 'steps')).toEqual({ '2025-04-06': 2_450, '2025-04-07': 50 });
    expect(await columnOf(user, 'flights_climbed')).toEqual({ '2011-12-29': 4, '2011-12-31': 4 });
  });

  test('counts by the offset that it carries itself', async () => {
    const user = await shop.user({ timezone: null });
    const own = { utc_offset: '-05:00' };
    const walk = sample('steps', '2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', 2_350, 'count', own);
    await send(user, newYork, { samples: [walk] });
    expect(await columnOf(user, 'steps')).toEqual({ '2025-03-09': 2_350 });
  });

  test('counts where the phone was that told it first, also in a later version', async () => {
    const user = await shop.user({ timezone: null });
    const walk = (value: number) => sample('steps', '2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', value, 'count');
    await send(user, newYork, { samples: [walk(2_350)] });
    await send(user, 'America/Bogota', { samples: [walk(4_700)] });
    expect(await columnOf(user, 'steps')).toEqual({ '2025-03-09': 4_500, '2025-03-10': 200 });
    const [other, later] = [await shop.user({ timezone: null }), walk(4_700)];
    await send(other, 'America/Bogota', { samples: [walk(2_350)] });
    await send(other, newYork, { samples: [later] });
    expect(await columnOf(other, 'steps')).toEqual({ '2025-03-09': 4_700 });
  });

  test('counts in the zone of its own phone, beside phones in other zones', async () => {
    const user = await shop.user({ timezone: null });
    const early = sample('steps', '2025-03-09T05:30:00Z', '2025-03-09T12:00:00Z', 650, 'count');
    const late = sample('steps', '2025-03-09T12:00:00Z', '2025-03-10T05:00:00Z', 1_700, 'count');
    await send(user, newYork, { samples: [early, late] });
    const far = sample('exercise', '2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', 1_410, 'min');
    await send(user, 'Asia/Tokyo', { samples: [far] }, { ...phone, model: 'P2' });
    expect(await columnOf(user, 'steps')).toEqual({ '2025-03-09': 2_250, '2025-03-10': 100 });
    expect(await columnOf(user, 'exercise')).toEqual({ '2025-03-09': 570, '2025-03-10': 840 });
  });

  test('finds its midnight again after a profile had a zone for a while', async () => {
    const user = await shop.user({ timezone: null });
    const walk = sample('steps', '2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', 2_350, 'count');
    await send(user, newYork, { samples: [walk] });
    for (const timezone of ['Asia/Tokyo', null]) {
      await updateUser(shop.deps, shop.caller, user, { timezone });
      await ingestUser(shop.deps, user);
      shop.clock.advance(workerLifeMs);
      await ingestUser(shop.deps, user);
    }
    expect(await columnOf(user, 'steps')).toEqual({ '2025-03-09': 2_250, '2025-03-10': 100 });
  });

  test('of a stage of sleep counts on the day that it ends on by the new time', async () => {
    const user = await shop.user({ timezone: null });
    const stage = sample('deep_sleep', '2025-11-02T05:00:00Z', '2025-11-03T04:30:00Z', 45, 'min');
    await send(user, newYork, { samples: [stage] });
    expect(await columnOf(user, 'deep_sleep')).toEqual({ '2025-11-02': 45 });
  });
});

test('a night whose later version ends after the clocks changed counts on the day of its end', async () => {
  const user = await shop.user({ timezone: null });
  const start = '2025-11-02T05:00:00Z';
  await send(user, newYork, { sleep: [{ start, end: '2025-11-02T05:40:00Z', asleep_minutes: 30 }] });
  await send(user, 'Asia/Tokyo', { sleep: [{ start, end: '2025-11-03T04:30:00Z', asleep_minutes: 900 }] });
  expect(await columnOf(user, 'asleep')).toEqual({ '2025-11-02': 900 });
});

test('what is told twice is not written again, and the zone is stored only where clocks change', async () => {
  const user = await shop.user({ timezone: null });
  const over = sample('steps', '2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', 2_350, 'count');
  const records = {
    samples: [over, sample('steps', '2025-03-09T20:00:00Z', '2025-03-09T21:00:00Z', 5, 'count')],
    sleep: [
      { start: '2025-03-09T03:00:00Z', end: '2025-03-09T10:00:00Z', asleep_minutes: 400 },
      { start: '2025-06-09T03:00:00Z', end: '2025-06-09T10:00:00Z', asleep_minutes: 400 },
    ],
  };
  const stored = async () => ({
    samples: await allOf(sampleRows(shop.deps.store).all(user)),
    nights: await allOf(sessionRows(shop.deps.store).sleep.all(user)),
  });
  await send(user, newYork, records);
  const first = await stored();
  await send(user, 'Europe/Berlin', { ...records, workouts: [] }, { ...phone, name: 'Renamed' });
  expect(await stored()).toEqual(first);
  expect(first.samples.flatMap(({ samples }) => samples.map(({ fallbackZone }) => fallbackZone))).toEqual([
    newYork,
    undefined,
  ]);
  expect(first.nights.map(({ sessions }) => sessions[0]?.fallbackZone)).toEqual([newYork, undefined]);
});
