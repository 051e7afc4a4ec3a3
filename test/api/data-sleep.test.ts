import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { disconnectDevice } from '../../shared/connections/disconnect.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { DeviceRow } from '../../shared/users/device-rows.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { addDevice, addSleep, changeSettings, ring, sleepRow, watch } from '../harness/stored-data.ts';
import { type System, startSystem } from '../harness/system.ts';
import { createTestUser, sleepUpload as sleptBetween, watch as wrist } from '../harness/test-user.ts';

let system: System;
let deps: Deps;
let account: NewAccount;
let userId: string;
let first: DeviceRow;
let second: DeviceRow;

beforeAll(async () => {
  // A separate system, because a test advances its clock by a day.
  system = await startSystem();
  deps = system.host.deps;
  account = await system.account();
});
afterAll(() => system.stop());
beforeEach(async () => {
  userId = await system.user(account.live_key, { timezone: 'Europe/Berlin' });
  first = await addDevice(deps, userId, ring);
  second = await addDevice(deps, userId, watch);
});

const march = 'from_date=2026-03-01&to_date=2026-03-31';
const read = (query = march, token = account.live_key) =>
  system.call('GET', `/v1/users/${userId}/sleep?${query}`, { token });
const idsOf = ({ body }: { body: { data: { id: string }[] } }): string[] => body.data.map(({ id }) => id);

async function readEveryPage(
  limit: number,
  between: (page: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor = '';
  for (let page = 1; ; page++) {
    const response = await read(`${march}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(response.status).toBe(200);
    seen.push(...idsOf(response));
    if (response.body.next_cursor === null) return seen;
    expect(response.body.data).toHaveLength(limit);
    cursor = response.body.next_cursor;
    await between(page);
  }
}

describe('a session', () => {
  test("has the fields of the contract and local times of the profile's zone", async () => {
    const row = sleepRow(first.ordinal, '2026-03-13T21:48:00Z', 474, {
      asleepMinutes: 431,
      deepMinutes: 76,
      lightMinutes: 262.4,
      remMinutes: 93,
      inBedMinutes: 474,
    });
    await addSleep(deps, userId, '2026-03-14', row);
    expect((await read()).body).toEqual({
      from_date: '2026-03-01',
      to_date: '2026-03-31',
      data: [
        {
          id: row.id,
          date: '2026-03-14',
          start_time: '2026-03-13T22:48:00',
          end_time: '2026-03-14T06:42:00',
          start_at: '2026-03-13T21:48:00.000Z',
          end_at: '2026-03-14T05:42:00.000Z',
          utc_offset: null,
          duration_minutes: 474,
          is_main_sleep: true,
          source: 'oura',
          asleep_minutes: 431,
          deep_minutes: 76,
          light_minutes: 262,
          rem_minutes: 93,
          awake_minutes: null,
          in_bed_minutes: 474,
          efficiency_pct: 90.9,
        },
      ],
      next_cursor: null,
    });
  });

  test('names its device on request', async () => {
    await addSleep(deps, userId, '2026-03-14', sleepRow(first.ordinal, '2026-03-13T21:48:00Z', 474));
    const plain = await read();
    const response = await read(`${march}&include_sources=true`);
    const [session] = plain.body.data;
    expect(response.body.data).toEqual([{ ...session, source_detail: { provider: 'oura', device_id: first.id } }]);
    expect(session.efficiency_pct).toBeNull();
  });

  test('uses UTC for a user without a time zone, and follows clock changes for a user with one', async () => {
    await addSleep(deps, userId, '2026-03-29', sleepRow(first.ordinal, '2026-03-28T22:30:00Z', 480));
    expect((await read()).body.data[0]).toMatchObject({
      start_time: '2026-03-28T23:30:00',
      end_time: '2026-03-29T08:30:00',
      duration_minutes: 480,
    });
    await system.call('PATCH', `/v1/users/${userId}`, { token: account.live_key, body: { timezone: null } });
    expect((await read()).body.data[0].start_time).toBe('2026-03-28T22:30:00');
  });

  test('is the main sleep if it is the longest of its day and longer than three hours', async () => {
    const [long, nap, short] = [
      sleepRow(first.ordinal, '2026-03-13T22:00:00Z', 400),
      sleepRow(first.ordinal, '2026-03-14T12:00:00Z', 200),
      sleepRow(first.ordinal, '2026-03-15T12:00:00Z', 180),
    ];
    await addSleep(deps, userId, '2026-03-14', long, nap);
    await addSleep(deps, userId, '2026-03-15', short);
    const main = ({ body }: { body: { data: { id: string; is_main_sleep: boolean }[] } }) =>
      body.data.map(({ id, is_main_sleep }) => [id, is_main_sleep]);
    const all = main(await read());
    expect(all).toEqual([
      [short.id, false],
      [nap.id, false],
      [long.id, true],
    ]);
    const page = await read(`${march}&limit=2`);
    const rest = await read(`${march}&limit=2&cursor=${page.body.next_cursor}`);
    expect([...main(page), ...main(rest)]).toEqual(all);
  });
});

test('a day with only a nap has a longest sleep and no main sleep', async () => {
  const napper = await createTestUser(system, account.live_key);
  await napper.send(wrist, sleptBetween(13, 14, 50));
  const response = await napper.get('sleep?from_date=2026-03-10&to_date=2026-03-10');
  expect(response.body.data).toMatchObject([{ asleep_minutes: 50, is_main_sleep: false }]);
  expect(await napper.daily('longest_sleep,asleep')).toEqual({
    longest_sleep: [null, 50, null, null],
    asleep: [null, 50, null, null],
  });
  const removedMetric = await napper.get('daily?types=main_sleep&from_date=2026-03-10&to_date=2026-03-10');
  expect([removedMetric.status, removedMetric.body.error]).toEqual([422, 'invalid_types']);
  const { metrics } = (await system.call('GET', '/v1/metrics', { token: account.live_key })).body;
  expect(metrics).toContainEqual(expect.objectContaining({ id: 'longest_sleep', display_name: 'Longest Sleep' }));
});

describe('one night recorded by several devices', () => {
  const both = async () => {
    const [best, worse] = [
      sleepRow(first.ordinal, '2026-03-13T22:00:00Z', 420),
      sleepRow(second.ordinal, '2026-03-13T22:20:00Z', 430),
    ];
    await addSleep(deps, userId, '2026-03-14', worse, best);
    return [best.id, worse.id];
  };

  test('is one session, from the highest-ranked device', async () => {
    const [best] = await both();
    expect(idsOf(await read())).toEqual([best]);
  });

  test('is one session even if the devices date it differently', async () => {
    const best = sleepRow(first.ordinal, '2026-03-14T21:00:00Z', 121);
    const worse = sleepRow(second.ordinal, '2026-03-14T21:00:00Z', 118);
    await addSleep(deps, userId, '2026-03-15', best);
    await addSleep(deps, userId, '2026-03-14', worse);
    expect(idsOf(await read())).toEqual([best.id]);
    expect(idsOf(await read('from_date=2026-03-10&to_date=2026-03-14'))).toEqual([]);
    expect(idsOf(await read('from_date=2026-03-15&to_date=2026-03-15'))).toEqual([best.id]);
    await disconnectDevice(
      deps,
      { kind: 'api_key', account: account.account_id, env: 'live', form: 2 },
      userId,
      first.id,
    );
    expect(idsOf(await read())).toEqual([worse.id]);
  });

  test('is omitted if the higher-ranked device dates it before the requested range', async () => {
    await addSleep(deps, userId, '2026-03-13', sleepRow(first.ordinal, '2026-03-14T21:00:00Z', 121));
    await addSleep(deps, userId, '2026-03-15', sleepRow(second.ordinal, '2026-03-14T21:00:00Z', 118));
    expect(idsOf(await read('from_date=2026-03-15&to_date=2026-03-15'))).toEqual([]);
  });

  test('two sessions that barely overlap stay two', async () => {
    const [early, late] = [
      sleepRow(first.ordinal, '2026-03-13T22:00:00Z', 240),
      sleepRow(second.ordinal, '2026-03-14T01:00:00Z', 240),
    ];
    await addSleep(deps, userId, '2026-03-14', early, late);
    expect(idsOf(await read())).toEqual([late.id, early.id]);
  });

  test.each([
    ['off', { disabled: ['oura'] }],
    ['disabled for sleep', { disabledFor: { sleep: ['oura'] } }],
  ])('omits a provider that is %s', async (_how, settings) => {
    const [, worse] = await both();
    await changeSettings(deps, userId, settings);
    expect(idsOf(await read())).toEqual([worse]);
  });

  test('includes a provider that is disabled for something else', async () => {
    const [best] = await both();
    await changeSettings(deps, userId, { disabledFor: { steps: ['oura'] } });
    expect(idsOf(await read())).toEqual([best]);
  });

  test('never shows a disconnected device', async () => {
    const [, worse] = await both();
    await disconnectDevice(
      deps,
      { kind: 'api_key', account: account.account_id, env: 'live', form: 2 },
      userId,
      first.id,
    );
    expect(idsOf(await read())).toEqual([worse]);
  });
});

describe('pagination', () => {
  /**
   * Creates one night for each day of March and a nap on every third day; returns their ids, newest
   * first.
   */
  async function addMonth(device = first.ordinal): Promise<string[]> {
    const addedIds: string[] = [];
    for (let day = 1; day <= 31; day++) {
      const date = addDays('2026-03-01', day - 1);
      const rows = [sleepRow(device, `${addDays(date, -1)}T22:00:00Z`, 420)];
      if (day % 3 === 0) rows.push(sleepRow(device, `${date}T12:00:00Z`, 60));
      await addSleep(deps, userId, date, ...rows);
      addedIds.push(...rows.map(({ id }) => id));
    }
    return addedIds.reverse();
  }

  test.each([1, 2, 7, 40, 41, 42, 100])('pages of %i contain every session once, newest first', async (limit) => {
    const addedIds = await addMonth();
    expect(await readEveryPage(limit)).toEqual(addedIds);
  });

  test('the default page size is 50', async () => {
    for (let day = 0; day < 60; day++) {
      const date = addDays('2026-01-01', day);
      await addSleep(deps, userId, date, sleepRow(first.ordinal, `${date}T01:00:00Z`, 300));
    }
    const response = await read('from_date=2026-01-01&to_date=2026-03-31');
    expect([response.body.data.length, typeof response.body.next_cursor]).toEqual([50, 'string']);
  });

  test.each([
    ['0', 400],
    ['1', 200],
    ['50', 200],
    ['100', 200],
    ['101', 400],
    ['abc', 400],
    ['1.5', 400],
    ['', 400],
  ])('limit=%s returns %i', async (limit, status) => {
    const response = await read(`limit=${limit}`);
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body.details.issues[0].path).toBe('limit');
  });

  test('days without visible sessions do not end the list', async () => {
    const onlySession = sleepRow(first.ordinal, '2026-03-01T01:00:00Z', 300);
    await addSleep(deps, userId, '2026-03-01', onlySession);
    for (let day = 1; day < 31; day++) {
      const date = addDays('2026-03-01', day);
      await addSleep(deps, userId, date, sleepRow(77, `${date}T01:00:00Z`, 300));
    }
    expect(await readEveryPage(1)).toEqual([onlySession.id]);
  });

  test('sessions that arrive between pages neither repeat nor hide another session', async () => {
    const addedIds = await addMonth();
    const seen = await readEveryPage(4, async (page) => {
      const date = addDays('2026-03-31', -page);
      await addSleep(
        deps,
        userId,
        date,
        sleepRow(second.ordinal, `${addDays(date, -1)}T22:05:00Z`, 425),
        sleepRow(first.ordinal, `${date}T18:00:00Z`, 30),
      );
    });
    expect(seen.filter((id) => addedIds.includes(id))).toEqual(addedIds);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('a better report of the last session on a page does not repeat it', async () => {
    const [newer, older] = [
      sleepRow(second.ordinal, '2026-03-13T22:00:00Z', 420),
      sleepRow(second.ordinal, '2026-03-12T22:00:00Z', 420),
    ];
    await addSleep(deps, userId, '2026-03-14', newer);
    await addSleep(deps, userId, '2026-03-13', older);
    const seen = await readEveryPage(1, async (page) => {
      if (page === 1) await addSleep(deps, userId, '2026-03-14', sleepRow(first.ordinal, '2026-03-13T21:50:00Z', 420));
    });
    expect(seen).toEqual([newer.id, older.id]);
  });

  test('a better report that sorts before the end of the page does not hide its night', async () => {
    const [newer, older] = [
      sleepRow(second.ordinal, '2026-03-14T12:00:00Z', 60),
      sleepRow(second.ordinal, '2026-03-13T22:00:00Z', 420),
    ];
    await addSleep(deps, userId, '2026-03-14', newer, older);
    const seen = await readEveryPage(1, async (page) => {
      if (page === 1) await addSleep(deps, userId, '2026-03-15', sleepRow(first.ordinal, '2026-03-13T22:10:00Z', 420));
    });
    expect(seen).toEqual([newer.id, older.id]);
  });

  test('a cursor stays valid after midnight moves the default range', async () => {
    avoidMidnight(system.clock);
    const today = new Date(system.clock.now()).toISOString().slice(0, 10);
    for (let back = 1; back <= 3; back++) {
      const date = addDays(today, -back);
      await addSleep(deps, userId, date, sleepRow(first.ordinal, `${date}T01:00:00Z`, 300));
    }
    const page = await read('limit=2');
    system.clock.advance(24 * 3_600_000);
    const rest = await read(`limit=2&cursor=${page.body.next_cursor}`);
    expect([rest.status, rest.body.data.length, rest.body.next_cursor]).toEqual([200, 1, null]);
    expect([rest.body.from_date, rest.body.to_date]).toEqual([page.body.from_date, page.body.to_date]);
  });

  test('a cursor is rejected with any other parameters', async () => {
    await addMonth();
    const { next_cursor: cursor } = (await read(`${march}&limit=2`)).body;
    const refused = async (response: ReturnType<typeof read>) => {
      const { status, body } = await response;
      expect([status, body.error]).toEqual([400, 'invalid_cursor']);
    };
    const altered = cursor.slice(0, -2) + (cursor.endsWith('A') ? 'BB' : 'AA');
    await refused(read(`${march}&limit=2&cursor=${altered}`));
    await refused(read(`${march}&limit=3&cursor=${cursor}`));
    await refused(read(`${march}&cursor=${cursor}`));
    await refused(read(`from_date=2026-03-02&to_date=2026-03-31&limit=2&cursor=${cursor}`));
    await refused(read(`from_date=2026-03-01&limit=2&cursor=${cursor}`));
    await refused(
      system.call('GET', `/v1/users/${userId}/workouts?${march}&limit=2&cursor=${cursor}`, { token: account.live_key }),
    );
    const other = await system.user(account.live_key);
    await refused(
      system.call('GET', `/v1/users/${other}/sleep?${march}&limit=2&cursor=${cursor}`, { token: account.live_key }),
    );
    const empty = await read(`${march}&limit=2&cursor=`);
    expect([empty.status, empty.body.error]).toEqual([400, 'invalid_request']);
    const token = await system.userToken(account.live_key, userId);
    expect((await read(`${march}&limit=2&cursor=${cursor}`, token)).status).toBe(200);
  });
});

test.each([
  ['start_date=2026-03-01', 'from_date'],
  ['end_date=2026-03-01', 'to_date'],
  ['page=2', 'cursor'],
  ['per_page=10', 'limit'],
])('%s belongs to the other form', async (query, instead) => {
  const response = await read(query);
  expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
  expect(response.body.message).toContain(`Use \`${instead}\``);
});

test.each(['from_date=2026-03-02&to_date=2026-03-01', 'from_date=2025-03-13&to_date=2026-03-14', 'to_date=2026-02-29'])(
  '%s is not a valid range',
  async (query) => {
    expect((await read(query)).status).toBe(400);
  },
);

test('366 days are a valid range', async () => {
  expect((await read('from_date=2025-03-14&to_date=2026-03-14')).status).toBe(200);
});
