import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { keys } from '../../shared/system/keys.ts';
import { userRows } from '../../shared/users/user-rows.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pageThroughUsers } from './user-pages.ts';

let system: System;
let account: NewAccount;
const call = (method: string, path: string, body?: unknown, token = account.live_key) =>
  system.call(method, path, { token, ...(body === undefined ? {} : { body }) });

beforeAll(async () => {
  system = await sharedSystem();
});

async function useNewAccount(): Promise<void> {
  account = await system.account();
}

describe('creating a user', () => {
  beforeAll(useNewAccount);

  test('with an empty body creates a user with nothing but an id', async () => {
    const result = await call('POST', '/v1/users', {});
    expect(result.body).toMatchObject({
      external_ref: null,
      timezone: null,
      day_rule: 'profile',
      timezone_source: null,
      profile: {},
      status: 'active',
      score_status: 'calibrating',
      last_sync_at: null,
      last_score_at: null,
    });
  });

  test('accepts both names of the reference as one field', async () => {
    expect((await call('POST', '/v1/users', { reference_id: 'r1' })).body.external_ref).toBe('r1');
    expect((await call('POST', '/v1/users', { external_ref: 'r2', reference_id: 'r2' })).body.external_ref).toBe('r2');
    const both = await call('POST', '/v1/users', { external_ref: 'r3', reference_id: 'r4' });
    expect([both.status, both.body.error]).toEqual([400, 'invalid_body']);
  });

  test.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ external_ref: '' }, 'external_ref'],
    [{ external_ref: 'x'.repeat(256) }, 'external_ref'],
    [{ profile: { date_of_birth: '2001-02-30' } }, 'profile.date_of_birth'],
    [{ profile: { sex: 'unknown' } }, 'profile.sex'],
    [{ profile: { height_cm: -1 } }, 'profile.height_cm'],
    [{ profile: { shoe_size: 44 } }, 'profile.shoe_size'],
    [{ id: 'usr_x' }, 'id'],
  ])('with %j is rejected, naming the field', async (body, path) => {
    const result = await call('POST', '/v1/users', body);
    expect([result.status, result.body.error, result.body.details.issues[0].path]).toEqual([400, 'invalid_body', path]);
  });

  test('sixteen times concurrently with one reference creates one user, and the conflicts name it', async () => {
    const result = await Promise.all(
      Array.from({ length: 16 }, () => call('POST', '/v1/users', { external_ref: 'twin' })),
    );
    expect(result.map(({ status }) => status).sort()).toEqual([201, ...Array(15).fill(409)]);
    const created = result.find(({ status }) => status === 201);
    for (const each of result.filter(({ status }) => status === 409))
      expect(each.body).toMatchObject({ error: 'external_ref_taken', details: { user_id: created?.body.id } });
    const listed = await call('GET', '/v1/users?external_ref=twin');
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([created?.body.id]);
  });

  test('can use the same reference in another environment or account', async () => {
    const otherAccount = await system.account();
    for (const token of [account.live_key, account.sandbox_key, otherAccount.live_key])
      expect((await call('POST', '/v1/users', { external_ref: 'everywhere' }, token)).status).toBe(201);
  });

  test('stores the change and its event in one write', async () => {
    const id = await system.user(account.live_key);
    await system.host.drain();
    const result = await system.call('GET', `/v1/events?user_id=${id}`, { token: account.live_key });
    expect(result.body.events).toMatchObject([{ event_type: 'user.created', user_id: id }]);
  });
});

describe('listing users', () => {
  beforeAll(useNewAccount);

  test('returns each of 120 users once, newest first, while others are being created', async () => {
    await pageThroughUsers(system, account.live_key, 120, [7, 49, 50, 99, 100]);
  });

  test('accepts a cursor for its own request only', async () => {
    const { body } = await call('GET', '/v1/users?limit=2');
    const cursor: string = body.next_cursor;
    expect((await call('GET', `/v1/users?limit=2&cursor=${cursor}`)).status).toBe(200);
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      const result = await call('GET', `/v1/users?limit=2&cursor=${changed}`);
      system.clock.advance(10);
      expect([at, result.status, result.body.error]).toEqual([at, 400, 'invalid_cursor']);
    }
    const otherAccount = await system.account();
    for (const [query, token] of [
      [`limit=3&cursor=${cursor}`, account.live_key],
      [`cursor=${cursor}`, account.live_key],
      [`limit=2&external_ref=a&cursor=${cursor}`, account.live_key],
      [`limit=2&cursor=${cursor}`, account.sandbox_key],
      [`limit=2&cursor=${cursor}`, otherAccount.live_key],
      [`limit=2&cursor=${cursor}AA`, account.live_key],
      [`limit=2&cursor=${cursor}=`, account.live_key],
    ] as const) {
      const result = await call('GET', `/v1/users?${query}`, undefined, token);
      expect([query, result.status, result.body.error]).toEqual([query, 400, 'invalid_cursor']);
    }
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=abc',
    'limit=',
    'limit=1.5',
    'limit=-1',
    'cursor=',
    'external_ref=',
    'limit=1&limit=2',
  ])('with %s is rejected, naming the parameter', async (query) => {
    const result = await call('GET', `/v1/users?${query}`);
    expect([result.status, result.body.error]).toEqual([400, 'invalid_request']);
    expect(result.body.details.issues[0].path).toBe(query.split('=')[0]);
  });

  test.each([
    ['page=2', 'cursor'],
    ['per_page=20', 'limit'],
    ['reference_id=x', 'external_ref'],
  ])('with %s of the other form is rejected, suggesting %s', async (query, instead) => {
    const result = await call('GET', `/v1/users?${query}`);
    expect([result.status, result.body.error]).toEqual([400, 'invalid_request']);
    expect(result.body.message).toContain(instead);
  });

  test('ignores what mail programs and caches add', async () => {
    expect((await call('GET', '/v1/users?utm_source=x&_=1')).status).toBe(200);
  });

  test('with an unknown reference returns an empty page', async () => {
    expect((await call('GET', '/v1/users?external_ref=nobody')).body).toEqual({ data: [], next_cursor: null });
  });
});

describe('updating a user', () => {
  beforeAll(useNewAccount);

  test('changes the fields that are sent, clears those that are null, and leaves the rest', async () => {
    const id = await system.user(account.live_key, {
      external_ref: 'before',
      timezone: 'Europe/Berlin',
      profile: { sex: 'female', height_cm: 171 },
    });
    const changed = await call('PATCH', `/v1/users/${id}`, { profile: { height_cm: null, weight_kg: 64.5 } });
    expect(changed.body).toMatchObject({
      external_ref: 'before',
      timezone: 'Europe/Berlin',
      timezone_source: 'caller',
      profile: { sex: 'female', weight_kg: 64.5 },
    });
    expect(changed.body.profile).not.toHaveProperty('height_cm');
    const cleared = await call('PATCH', `/v1/users/${id}`, { timezone: null, profile: null, external_ref: null });
    expect(cleared.body).toMatchObject({ external_ref: null, timezone: null, timezone_source: null, profile: {} });
    expect((await call('GET', `/v1/users/${id}`)).body).toEqual({ ...cleared.body, devices: [] });
  });

  test('with an empty patch writes nothing', async () => {
    const id = await system.user(account.live_key);
    await call('GET', `/v1/users/${id}`);
    await system.host.drain();
    const before = system.calls.length;
    expect((await call('PATCH', `/v1/users/${id}`, {})).status).toBe(200);
    expect(system.calls.slice(before).map(({ operation }) => operation)).toEqual(['UpdateItem', 'GetItem']);
  });

  test('can take a freed reference, but not a used one', async () => {
    const first = await system.user(account.live_key, { external_ref: 'one' });
    const second = await system.user(account.live_key, { external_ref: 'two' });
    const refused = await call('PATCH', `/v1/users/${second}`, { external_ref: 'one' });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: 'external_ref_taken', details: { user_id: first } },
    ]);
    expect((await call('PATCH', `/v1/users/${first}`, { external_ref: 'three' })).status).toBe(200);
    expect((await call('PATCH', `/v1/users/${second}`, { external_ref: 'one' })).status).toBe(200);
    expect((await call('GET', '/v1/users?external_ref=one')).body.data[0].id).toBe(second);
  });

  test('with twenty concurrent patches of different fields loses none', async () => {
    const id = await system.user(account.live_key);
    const patches = [
      { timezone: 'Asia/Tokyo' },
      { profile: { sex: 'male' } },
      { profile: { height_cm: 180 } },
      { external_ref: 'late' },
    ];
    const result = await Promise.all(patches.map((patch) => call('PATCH', `/v1/users/${id}`, patch)));
    expect(result.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call('GET', `/v1/users/${id}`)).body).toMatchObject({
      timezone: 'Asia/Tokyo',
      external_ref: 'late',
      profile: { sex: 'male', height_cm: 180 },
    });
  });
});

describe('deleting a user', () => {
  beforeAll(useNewAccount);

  test('removes it immediately from reads, lists, references and tokens, and leaves nothing of it', async () => {
    const id = await system.user(account.live_key, { external_ref: 'leaving' });
    const token = await system.userToken(account.live_key, id);
    const result = await call('DELETE', `/v1/users/${id}`);
    expect([result.status, result.body]).toMatchObject([202, { id, status: 'deleting' }]);
    expect((await call('GET', `/v1/users/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/users/${id}`)).status).toBe(404);
    expect((await call('PATCH', `/v1/users/${id}`, { timezone: null })).status).toBe(404);
    expect((await call('GET', '/v1/users?external_ref=leaving')).body.data).toEqual([]);
    expect((await call('GET', '/v1/users')).body.data.map((user: { id: string }) => user.id)).not.toContain(id);
    expect((await call('GET', `/v1/users/${id}/devices`, undefined, token)).status).toBe(404);
    expect((await call('POST', '/v1/auth/user-token', { user_id: id })).status).toBe(404);
    expect((await call('POST', '/v1/users', { external_ref: 'leaving' })).status).toBe(201);
    await system.settle();
    expect((await system.host.table.query({ where: '#pk = :pk', values: { pk: keys.user(id).pk } })).items).toEqual([]);
  });

  test('is completed by the sweep when its message is lost, and publishes one user.deleted event', async () => {
    const id = await system.user(account.live_key);
    const { store } = system.host.deps;
    const row = await userRows(store).findById(id);
    if (!row) throw new Error('the user is missing');
    await store.commit(userRows(store).buildDelete(row, system.clock.now()));
    for (let device = 0; device < 30; device++)
      await system.host.table.write({
        kind: 'put',
        item: { pk: keys.user(id).pk, sk: `@DEVICE#dev_${device}`, id: `dev_${device}` },
      });
    system.clock.advance(61_000);
    await system.host.runSchedule('sweep');
    await system.host.deps.queue.sendAll('user', Array(3).fill({ user_id: id }));
    await system.settle();
    expect((await system.host.table.query({ where: '#pk = :pk', values: { pk: keys.user(id).pk } })).items).toEqual([]);
    const query = `?types=user.deleted&user_id=${id}`;
    const result = await system.call('GET', `/v1/events${query}`, { token: account.live_key });
    expect(result.body.events).toMatchObject([{ erased: { devices: 30 } }]);
  });

  test('a message for a user that is not being deleted erases nothing', async () => {
    const id = await system.user(account.live_key);
    await system.host.deps.queue.send('user', { user_id: id });
    await system.host.drain();
    expect((await call('GET', `/v1/users/${id}`)).status).toBe(200);
  });
});
