import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey, type NewAccount } from '../../shared/accounts/accounts.ts';
import { packEvents } from '../../shared/events/event-page.ts';
import type { EventRow } from '../../shared/events/event-row.ts';
import { makeId } from '../../shared/system/ids.ts';
import { keys } from '../../shared/system/keys.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { type System, startSystem } from '../harness/system.ts';

const day = 24 * 3600 * 1000;

let system: System;
beforeAll(async () => {
  // A separate system, because tests move its clock, also backwards.
  system = await startSystem();
});
afterAll(() => system.stop());

const read = (token: string, query = ''): Promise<ApiResponse> => system.call('GET', `/v1/events${query}`, { token });

async function page(token: string, query = ''): Promise<{ ids: string[]; cursor: string; more: boolean }> {
  const { status, text, body } = await read(token, query);
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`);
  return {
    ids: body.events.map((event: { event_id: string }) => event.event_id),
    cursor: body.cursor,
    more: body.has_more,
  };
}

async function createUsers(token: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await system.user(token));
  await system.host.drain();
  return ids;
}

interface NumberedEvent extends EventRow {
  seq: number;
  publishedMs: number;
  previousPublishedMs: number;
}
/**
 * Builds events as the feed writer stores them: each on its own page, followed by the end of the
 * feed.
 */
function makeEvent(seq: number, more: Partial<NumberedEvent> = {}): NumberedEvent {
  const publishedMs = more.publishedMs ?? system.clock.now();
  const id = makeId('event', publishedMs, randomBytes(10));
  return {
    seq,
    id,
    type: 'user.created',
    atMs: publishedMs,
    user: makeId('user', publishedMs, randomBytes(10)),
    publishedMs,
    previousPublishedMs: publishedMs,
    ...more,
  };
}
async function storeFeed(
  { account_id: account }: NewAccount,
  rows: NumberedEvent[],
  end: { seq: number; publishedMs: number },
) {
  await system.host.table.batchWrite([
    ...rows.map(({ seq, id, type, atMs, user, more, publishedMs, previousPublishedMs }) => ({
      kind: 'put' as const,
      item: {
        ...keys.feedPage(account, 'live', seq),
        ...{ next: seq + 1, publishedMs, previousPublishedMs, events: packEvents([{ id, type, atMs, user, more }]) },
      },
    })),
    {
      kind: 'put',
      item: { ...keys.feedEnd(account, 'live'), next: end.seq + 1, publishedMs: end.publishedMs, turn: 0 },
    },
  ]);
}
const deletePages = ({ account_id }: NewAccount, seqs: number[]) =>
  system.host.table.batchWrite(
    seqs.map((seq) => ({ kind: 'delete' as const, key: keys.feedPage(account_id, 'live', seq) })),
  );

describe('the feed', () => {
  test('is empty at first, and its cursor returns events that come later', async () => {
    const { live_key: token } = await system.account();
    const first = await page(token);
    expect(first).toMatchObject({ ids: [], more: false });
    const [user] = await createUsers(token, 1);
    const { body } = await read(token, `?cursor=${first.cursor}`);
    expect(body).toEqual({
      events: [
        {
          event_id: expect.stringMatching(/^evt_/),
          event_type: 'user.created',
          metrics: [],
          user_id: user,
          device_id: null,
          timestamp: expect.stringMatching(/Z$/),
        },
      ],
      cursor: expect.any(String),
      has_more: false,
    });
  });

  test('has the fields of its type in addition to the common fields', async () => {
    const { live_key: token } = await system.account();
    const [user] = await createUsers(token, 1);
    await system.call('DELETE', `/v1/users/${user}`, { token });
    await system.settle();
    const { body } = await read(token, '?types=user.deleted');
    expect(body.events).toMatchObject([{ event_type: 'user.deleted', user_id: user, erased: {} }]);
  });

  test('can be read in pages of any size', async () => {
    const { live_key: token } = await system.account();
    await createUsers(token, 5);
    const complete = await page(token);
    expect(complete.ids).toHaveLength(5);
    const first = await page(token, '?limit=2');
    const second = await page(token, `?limit=1&cursor=${first.cursor}`);
    const third = await page(token, `?limit=2&cursor=${second.cursor}`);
    const end = await page(token, `?cursor=${third.cursor}`);
    expect([first.more, second.more, third.more, end.more]).toEqual([true, true, false, false]);
    expect([...first.ids, ...second.ids, ...third.ids, ...end.ids]).toEqual(complete.ids);
  });

  test('can be read again from an old cursor', async () => {
    const { live_key: token } = await system.account();
    await createUsers(token, 3);
    const { cursor } = await page(token, '?limit=1');
    const once = await page(token, `?cursor=${cursor}`);
    expect((await page(token, `?cursor=${cursor}`)).ids).toEqual(once.ids);
  });

  test('belongs to one environment', async () => {
    const mine = await system.account();
    const other = await system.account();
    await createUsers(mine.live_key, 1);
    expect((await page(mine.sandbox_key)).ids).toEqual([]);
    expect((await page(other.live_key)).ids).toEqual([]);
  });

  test('responds with 304 to a poll that finds nothing new', async () => {
    const { live_key: token } = await system.account();
    await createUsers(token, 1);
    const { cursor } = await page(token);
    const poll = await read(token, `?cursor=${cursor}`);
    const headers = { 'if-none-match': poll.headers.get('etag') ?? '' };
    const again = await system.call('GET', `/v1/events?cursor=${cursor}`, { token, headers });
    expect(again.status).toBe(304);
  });

  test('costs a poll one table call in addition to admission', async () => {
    const { live_key: token } = await system.account();
    await createUsers(token, 3);
    const { cursor } = await page(token, '?limit=1');
    system.calls.length = 0;
    await page(token, `?cursor=${cursor}`);
    expect(system.calls.map(({ operation }) => operation).sort()).toEqual(['Query', 'UpdateItem']);
  });
});

describe('filters', () => {
  test('return only the requested user and types', async () => {
    const { live_key: token } = await system.account();
    const [first, second] = await createUsers(token, 2);
    await system.call('DELETE', `/v1/users/${second}`, { token });
    await system.settle();
    const listEvents = async (query: string) =>
      (await read(token, query)).body.events.map((event: { event_type: string; user_id: string }) => [
        event.event_type,
        event.user_id,
      ]);
    expect(await listEvents(`?user_id=${first}`)).toEqual([['user.created', first]]);
    expect(await listEvents('?types=user.deleted')).toEqual([['user.deleted', second]]);
    expect(await listEvents(`?types=user.deleted&user_id=${first}`)).toEqual([]);
    expect(await listEvents(`?types=user.deleted,user.created&user_id=${second}`)).toEqual([
      ['user.created', second],
      ['user.deleted', second],
    ]);
  });

  test('never hide an event: a page without matches continues where it stopped', async () => {
    const account = await system.account();
    const rows = Array.from({ length: 5_999 }, (_, i) => makeEvent(i + 1));
    const last = makeEvent(6_000, { type: 'user.deleted', more: { erased: { devices: 1 } } });
    await storeFeed(account, [...rows, last], { seq: 6_000, publishedMs: last.publishedMs });
    const first = await page(account.live_key, '?types=user.deleted');
    expect(first).toMatchObject({ ids: [], more: true });
    const second = await page(account.live_key, `?types=user.deleted&cursor=${first.cursor}`);
    expect(second).toMatchObject({ ids: [last.id], more: false });
  });

  test.each(['?types=', '?types=user.created,', '?types=user.born', '?types=*'])('%s is rejected', async (query) => {
    const { live_key: token } = await system.account();
    const response = await read(token, query);
    expect([response.status, response.body.error]).toEqual([422, 'invalid_types']);
  });
});

describe('since', () => {
  test('begins with the first event that entered the feed at or after it, and its cursor continues', async () => {
    const account = await system.account();
    const nowMs = system.clock.now();
    const rows = [3, 2, 1].map((hours, at) => makeEvent(at + 1, { publishedMs: nowMs - hours * 3_600_000 }));
    for (const [at, row] of rows.entries()) row.previousPublishedMs = rows[at - 1]?.publishedMs ?? 0;
    await storeFeed(account, rows, { seq: 3, publishedMs: nowMs - 3_600_000 });
    const since = (milliseconds: number) => `?since=${new Date(nowMs - milliseconds).toISOString()}`;
    const [, second, third] = rows.map(({ id }) => id);
    expect((await page(account.live_key, since(2 * 3_600_000))).ids).toEqual([second, third]);
    expect((await page(account.live_key, since(2 * 3_600_000 - 1))).ids).toEqual([third]);
    expect((await page(account.live_key, since(200 * day))).ids).toEqual(rows.map(({ id }) => id));
    const { ids, cursor, more } = await page(account.live_key, `${since(2 * 3_600_000)}&limit=1`);
    expect([ids, more]).toEqual([[second], true]);
    expect((await page(account.live_key, `?cursor=${cursor}`)).ids).toEqual([third]);
    const end = await page(account.live_key, since(-day));
    expect([end.ids, end.more]).toEqual([[], false]);
    expect((await page(account.live_key, `?cursor=${end.cursor}`)).ids).toEqual([]);
  });

  test('is rejected together with a cursor, and when it is not a time', async () => {
    const { live_key: token } = await system.account();
    const { cursor } = await page(token);
    for (const query of [`?cursor=${cursor}&since=2026-03-14T00:00:00Z`, '?since=2026-03-14', '?since=yesterday']) {
      const response = await read(token, query);
      expect([response.status, response.body.error, response.body.details.issues[0].path]).toEqual([
        400,
        'invalid_request',
        'since',
      ]);
    }
  });
});

describe('a cursor', () => {
  test('is bound to its environment and filters, but not to the order of the types', async () => {
    const mine = await system.account();
    const other = await system.account();
    const { cursor } = await page(mine.live_key, '?types=user.created,user.deleted');
    expect((await read(mine.live_key, `?types=user.deleted,user.created&cursor=${cursor}`)).status).toBe(200);
    const refused = [
      read(mine.live_key, `?cursor=${cursor}`),
      read(mine.live_key, `?types=user.created&cursor=${cursor}`),
      read(mine.sandbox_key, `?types=user.created,user.deleted&cursor=${cursor}`),
      read(other.live_key, `?types=user.created,user.deleted&cursor=${cursor}`),
      read(mine.live_key, `?types=user.created,user.deleted&cursor=${cursor.slice(0, -1)}`),
    ];
    for (const response of await Promise.all(refused)) {
      expect([response.status, response.body.error]).toEqual([400, 'invalid_cursor']);
    }
  });

  test.each(['?cursor=', '?limit=0', '?limit=1001', '?limit=abc', '?user_id=me'])('%s is rejected', async (query) => {
    const { live_key: token } = await system.account();
    const response = await read(token, query);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
  });
});

describe('a cursor of another table', () => {
  test('survives a restart, and expires when the table is replaced, because sequence numbers restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'daybook-epoch-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const during = async <T>(runWith: (own: System) => Promise<T>): Promise<T> => {
      const own = await startSystem({ dataDir, env: { PATH: process.env['PATH'] } });
      try {
        return await runWith(own);
      } finally {
        await own.stop();
      }
    };
    const { token, user, cursor } = await during(async (own) => {
      const { live_key } = await own.account();
      const empty = await own.call('GET', '/v1/events', { token: live_key });
      const userId = await own.user(live_key);
      await own.host.drain();
      return { token: live_key, user: userId, cursor: empty.body.cursor };
    });
    const readFrom = (own: System, from: string) => own.call('GET', `/v1/events?cursor=${from}`, { token });
    await during(async (own) => {
      expect((await readFrom(own, cursor)).body.events).toMatchObject([{ user_id: user }]);
      await own.host.table.write({ kind: 'delete', key: keys.tableEpoch });
    });
    await during(async (own) => {
      const { status, body } = await readFrom(own, cursor);
      expect([status, body.error]).toEqual([410, 'cursor_expired']);
      expect((await readFrom(own, body.details.earliest_cursor)).body.events).toMatchObject([{ user_id: user }]);
    });
  });
});

describe('an event that is not visible yet', () => {
  test('holds back the events after it, so that a reader never skips it', async () => {
    const account = await system.account();
    const rows = [1, 2, 3, 4].map((seq) => makeEvent(seq));
    const [one, two, three, four] = rows.map(({ id }) => id);
    const end = { seq: 4, publishedMs: system.clock.now() };
    await storeFeed(account, rows, end);
    await deletePages(account, [2, 4]);
    const first = await page(account.live_key);
    expect(first).toMatchObject({ ids: [one], more: true });
    expect(await page(account.live_key, `?cursor=${first.cursor}`)).toEqual({
      ids: [],
      cursor: first.cursor,
      more: true,
    });
    await storeFeed(account, rows.slice(0, 3), end);
    const second = await page(account.live_key, `?cursor=${first.cursor}`);
    expect(second).toMatchObject({ ids: [two, three], more: true });
    await storeFeed(account, rows, end);
    expect(await page(account.live_key, `?cursor=${second.cursor}`)).toMatchObject({ ids: [four], more: false });
  });

  test('at the start of the feed makes the reader retry', async () => {
    const account = await system.account();
    await storeFeed(account, [makeEvent(2)], { seq: 2, publishedMs: system.clock.now() });
    expect((await read(account.live_key)).status).toBe(503);
  });
});

describe('after 90 days', () => {
  const old = 91 * day;

  test.each([
    ['while the table still has them', []],
    ['when the table has deleted some of them', [2]],
    ['when the table has deleted all of them', [1, 2, 3]],
  ])('events are no longer returned, %s', async (_when, dropped) => {
    const account = await system.account();
    const now = system.clock.now();
    const past = [1, 2, 3].map((seq) => makeEvent(seq, { publishedMs: now - old }));
    const retained = [makeEvent(4, { publishedMs: now, previousPublishedMs: now - old }), makeEvent(5)];
    await storeFeed(account, past, { seq: 3, publishedMs: now - old });
    system.clock.advance(-old);
    const before = await page(account.live_key, '?limit=1');
    const atThree = await page(account.live_key, '?limit=3');
    system.clock.advance(old);

    await storeFeed(account, retained, { seq: 5, publishedMs: now });
    await deletePages(account, dropped);
    const fresh = retained.map(({ id }) => id);
    expect((await page(account.live_key)).ids).toEqual(fresh);
    expect((await page(account.live_key, `?cursor=${atThree.cursor}`)).ids).toEqual(fresh);
    const response = await read(account.live_key, `?cursor=${before.cursor}`);
    expect([response.status, response.body.error]).toEqual([410, 'cursor_expired']);
    const { earliest_cursor } = response.body.details;
    expect((await page(account.live_key, `?cursor=${earliest_cursor}`)).ids).toEqual(fresh);
  });

  test('an environment without recent events has an empty feed that continues', async () => {
    const account = await system.account();
    await storeFeed(account, [], { seq: 7, publishedMs: system.clock.now() - old });
    const first = await page(account.live_key);
    expect(first).toMatchObject({ ids: [], more: false });
    const next = makeEvent(8, { previousPublishedMs: system.clock.now() - old });
    await storeFeed(account, [next], { seq: 8, publishedMs: next.publishedMs });
    expect((await page(account.live_key, `?cursor=${first.cursor}`)).ids).toEqual([next.id]);
  });

  test('the first retained event is found without reading the expired ones', async () => {
    const account = await system.account();
    const now = system.clock.now();
    const rows = Array.from({ length: 600 }, (_, i) =>
      makeEvent(
        i + 1,
        i < 500 ? { publishedMs: now - old } : { publishedMs: now, previousPublishedMs: i === 500 ? now - old : now },
      ),
    );
    await storeFeed(account, rows, { seq: 600, publishedMs: now });
    system.calls.length = 0;
    expect((await page(account.live_key, '?limit=1')).ids).toEqual([rows[500]?.id]);
    expect(system.calls.length).toBeLessThan(16);
  });

  test('end to end: a reader that was away too long continues with a new key', async () => {
    const account = await system.account();
    await createUsers(account.live_key, 2);
    const { cursor } = await page(account.live_key, '?limit=1');
    system.clock.advance(old);
    const key = await createKey(system.host.deps, account.account_id, 'live');
    const [user] = await createUsers(key, 1);
    const response = await read(key, `?cursor=${cursor}`);
    expect(response.status).toBe(410);
    const { body } = await read(key, `?cursor=${response.body.details.earliest_cursor}`);
    expect(body.events).toMatchObject([{ user_id: user }]);
    expect((await read(key)).body.events).toMatchObject([{ user_id: user }]);
  });
});
