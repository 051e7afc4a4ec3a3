import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey, setAccountLimit, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { apiKeyRows } from '../../shared/accounts/api-key-rows.ts';
import { frozenClock } from '../harness/clock.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import { storeOn } from '../harness/store-on.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

const hour = 3600 * 1000;
const get = (path: string, token: string) => system.call('GET', path, { token });
/** The table calls that a request makes. */
async function recordTableCalls(request: () => Promise<unknown>): Promise<string[]> {
  await system.host.drain();
  const before = system.calls.length;
  await request();
  return system.calls.slice(before).map(({ operation }) => operation);
}

describe('cost', () => {
  test('authentication and limit are one table call on a warm function', async () => {
    const { live_key } = await system.account();
    await get('/v1/metrics', live_key);
    expect(await recordTableCalls(() => get('/v1/metrics', live_key))).toEqual(['UpdateItem']);
    system.clock.advance(hour);
    expect(await recordTableCalls(() => get('/v1/metrics', live_key))).toEqual(['UpdateItem']);
  });

  test('it writes one unit', async () => {
    const { live_key } = await system.account();
    await get('/v1/metrics', live_key);
    await system.host.drain();
    const before = system.calls.length;
    await get('/v1/metrics', live_key);
    expect(system.calls.slice(before)).toMatchObject([{ operation: 'UpdateItem', writeUnits: 1, readUnits: 0 }]);
  });

  test('a key whose limit is spread over several rows costs the same', async () => {
    const { account_id, live_key } = await system.account();
    await setAccountLimit(system.host.deps, account_id, 5_000);
    const response = await get('/v1/metrics', live_key);
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=10000;w=2');
    for (let time = 0; time < 10; time++) {
      await system.host.drain();
      const before = system.calls.length;
      expect((await get('/v1/metrics', live_key)).status).toBe(200);
      // A row that this process has not met yet may have been drawn on by another.
      const calls = system.calls.slice(before);
      expect(calls.at(-1)).toEqual({ operation: 'UpdateItem', writeUnits: 1, readUnits: 0 });
      expect(calls.length).toBeLessThanOrEqual(2);
    }
  });

  test('a user token costs one unit to write and one to read, and reads its user with one Query', async () => {
    const { live_key } = await system.account();
    const user = await system.user(live_key);
    const token = await system.userToken(live_key, user);
    await get(`/v1/users/${user}/devices`, token);
    await system.host.drain();
    const before = system.calls.length;
    await get(`/v1/users/${user}/devices`, token);
    const calls = system.calls.slice(before);
    expect(calls.map(({ operation }) => operation).sort()).toEqual(['GetItem', 'Query', 'UpdateItem']);
    expect(calls).toContainEqual({ operation: 'UpdateItem', writeUnits: 1, readUnits: 0 });
    expect(calls).toContainEqual({ operation: 'GetItem', writeUnits: 0, readUnits: 1 });
  });

  test('a mistyped key, a foreign token and a malformed one cost no call at all', async () => {
    const { live_key } = await system.account();
    const swapped = live_key.slice(0, -1) + (live_key.endsWith('x') ? 'y' : 'x');
    const foreign = 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImEuYiJ9.e30.c2ln';
    for (const token of [swapped, foreign, 'nonsense'])
      expect(await recordTableCalls(() => get('/v1/metrics', token))).toEqual([]);
  });
});

describe('keys', () => {
  test('rotating a key ends the old one with the very next request', async () => {
    const { account_id, live_key, sandbox_key } = await system.account();
    expect((await get('/v1/users', live_key)).status).toBe(200);
    const next = await createKey(system.host.deps, account_id, 'live');
    const old = await get('/v1/users', live_key);
    expect([old.status, old.body.error]).toEqual([401, 'invalid_token']);
    expect((await get('/v1/users', next)).status).toBe(200);
    expect((await get('/v1/users', sandbox_key)).status).toBe(200);
  });

  test('of ten rotations at once exactly one key is left', async () => {
    const { account_id } = await system.account();
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, () => createKey(system.host.deps, account_id, 'live')),
    );
    const keys = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const answers = await Promise.all(keys.map((key) => get('/v1/users', key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a revoked environment lets nobody in, user tokens included, until it has a key again', async () => {
    const { account_id, live_key } = await system.account();
    const user = await system.user(live_key);
    const token = await system.userToken(live_key, user);
    expect((await get(`/v1/users/${user}/devices`, token)).status).toBe(200);
    await revokeKey(system.host.deps, account_id, 'live');
    expect((await get('/v1/users', live_key)).status).toBe(401);
    expect((await get(`/v1/users/${user}/devices`, token)).status).toBe(401);
    const next = await createKey(system.host.deps, account_id, 'live');
    expect((await get('/v1/users', next)).status).toBe(200);
    expect((await get(`/v1/users/${user}/devices`, token)).status).toBe(200);
  });

  test('a key works for 90 days and not a moment longer', async () => {
    const later = await timeTravelSystem();
    const { live_key } = await later.account();
    later.clock.advance(90 * 24 * hour - 60_000);
    expect((await later.call('GET', '/v1/users', { token: live_key })).status).toBe(200);
    later.clock.advance(60_000);
    const response = await later.call('GET', '/v1/users', { token: live_key });
    expect([response.status, response.body.error]).toEqual([401, 'token_expired']);
  });

  test('no key stands in the table in clear', async () => {
    const { account_id, live_key } = await system.account();
    const rows = await apiKeyRows(system.host.deps.store).listByAccount(account_id);
    expect(JSON.stringify(rows)).not.toContain(live_key.slice(8, 40));
    expect(rows.map(({ shown }) => shown)).toContain(`sk_live_…${live_key.slice(-4)}`);
  });
});

describe('limit', () => {
  // Nothing flows back but what a test lets pass.
  const clock = frozenClock();
  let own: System;
  beforeAll(async () => {
    own = await startSystem({ clock });
  });
  afterAll(() => own.stop());

  test('of 260 requests at once exactly 200 pass, and 100 a second after them; another key is untouched', async () => {
    const [first, second] = [await own.account(), await own.account()];
    const ask = (token: string) => own.call('GET', '/v1/metrics', { token });
    const askTogether = (times: number) => Promise.all(Array.from({ length: times }, () => ask(first.live_key)));
    const answers = await askTogether(260);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
    expect(refused).toHaveLength(60);
    for (const { headers, body } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('ratelimit')).toBe('"default";r=0;t=2');
      expect(body.error).toBe('rate_limited');
    }
    expect((await ask(second.live_key)).status).toBe(200);
    expect((await ask(first.sandbox_key)).status).toBe(200);
    clock.advance(250);
    expect((await askTogether(40)).filter(({ status }) => status === 200)).toHaveLength(25);
  });

  test('the bucket refills by one request every ten milliseconds', async () => {
    const { live_key } = await system.account();
    const at = system.clock.now();
    const hash = system.host.deps.keyring.hash('api-key', live_key);
    const frozen = { now: () => at };
    const { apiKeyRows } = await import('../../shared/accounts/api-key-rows.ts');
    const admitAt = async (now: number) =>
      (await apiKeyRows(storeOn(system.host.table, { now: () => now })).admit(hash)).outcome;
    const rows = apiKeyRows(storeOn(system.host.table, frozen));
    for (let n = 0; n < 200; n++) expect((await rows.admit(hash)).outcome).toBe('admitted');
    expect((await rows.admit(hash)).outcome).toBe('limited');
    expect(await admitAt(at + 9)).toBe('limited');
    expect(await admitAt(at + 10)).toBe('admitted');
    expect(await admitAt(at + 19)).toBe('limited');
    expect(await admitAt(at + 10_000)).toBe('admitted');
  });

  test('of 300 that come at one moment exactly 200 pass, however many functions answer them', async () => {
    const { live_key } = await system.account();
    const at = system.clock.now();
    const hash = system.host.deps.keyring.hash('api-key', live_key);
    const { apiKeyRows } = await import('../../shared/accounts/api-key-rows.ts');
    const functions = Array.from({ length: 3 }, () => apiKeyRows(storeOn(system.host.table, { now: () => at })));
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, async (_none, n) => (await functions[n % 3]?.admit(hash))?.outcome),
    );
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(200);
    expect(outcomes.filter((outcome) => outcome === 'limited')).toHaveLength(100);
  });

  test('a request that has to try again is not helped by its own waiting', async () => {
    const { live_key } = await system.account();
    const hash = system.host.deps.keyring.hash('api-key', live_key);
    const { apiKeyRows } = await import('../../shared/accounts/api-key-rows.ts');
    const came = system.clock.now();
    let asked = 0;
    // Everybody comes within the first moment; the clock runs on while they wait for the table.
    const running = {
      now() {
        asked++;
        return came + Math.max(0, asked - 300) * 20;
      },
    };
    const rows = apiKeyRows(storeOn(system.host.table, running));
    const outcomes = await Promise.all(Array.from({ length: 300 }, async () => (await rows.admit(hash)).outcome));
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(200);
  });

  describe('of user tokens', () => {
    const reader = async (key: string) => {
      const user = await own.user(key);
      const token = await own.userToken(key, user);
      return () => own.call('GET', `/v1/users/${user}/devices`, { token });
    };
    const limits = ({ status, headers }: ApiResponse) => [
      status,
      ...['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name)),
    ];
    const whole = '"default";q=50;w=5';

    test('a flood empties the bucket of its user; the key and another user of the environment go on', async () => {
      const { live_key } = await own.account();
      const [ada, bob] = [await reader(live_key), await reader(live_key)];
      expect(limits(await ada())).toEqual([200, whole, '"default";r=49;t=1', null]);
      const flood = await Promise.all(Array.from({ length: 60 }, ada));
      expect(flood.filter(({ status }) => status === 200)).toHaveLength(49);
      for (const refused of flood.filter(({ status }) => status !== 200)) {
        expect(limits(refused)).toEqual([429, whole, '"default";r=0;t=5', '1']);
        expect(refused.body).toMatchObject({ error: 'rate_limited', details: { retry_after_seconds: 1 } });
      }
      expect(limits(await bob())).toEqual([200, whole, '"default";r=49;t=1', null]);
      // Two users and two tokens were made with the key, and nothing was read with it.
      const response = await own.call('GET', '/v1/metrics', { token: live_key });
      expect(limits(response)).toEqual([200, '"default";q=200;w=2', '"default";r=195;t=1', null]);
      clock.advance(100);
      expect((await ada()).status).toBe(200);
      expect((await ada()).status).toBe(429);
    });

    test('all tokens of a user draw on one bucket, whichever function they ask', async () => {
      const { live_key } = await own.account();
      const user = await own.user(live_key);
      const tokens = [await own.userToken(live_key, user), await own.userToken(live_key, user)];
      const paths = ['devices', 'daily', 'scores'];
      const asked = Array.from({ length: 60 }, (_none, n) =>
        own.call('GET', `/v1/users/${user}/${paths[n % 3]}`, { token: tokens[n % 2] ?? '' }),
      );
      const answers = await Promise.all(asked);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    });

    test('is not moved by a key that has used up its own', async () => {
      const { live_key } = await own.account();
      const ada = await reader(live_key);
      const asked = () => own.call('GET', '/v1/metrics', { token: live_key });
      expect((await Promise.all(Array.from({ length: 210 }, asked))).some(({ status }) => status === 429)).toBe(true);
      expect(limits(await ada())).toEqual([200, whole, '"default";r=49;t=1', null]);
    });

    test('a suspended account is told so, and a deleted user is not found, within the same limit', async () => {
      const { account_id, live_key } = await own.account();
      const user = await own.user(live_key);
      const token = await own.userToken(live_key, user);
      const ada = () => own.call('GET', `/v1/users/${user}/devices`, { token });
      await setAccountStatus(own.host.deps, account_id, 'suspended');
      expect(limits(await ada())).toEqual([402, whole, '"default";r=49;t=1', null]);
      await setAccountStatus(own.host.deps, account_id, 'active');
      await own.call('DELETE', `/v1/users/${user}`, { token: live_key });
      const gone = await Promise.all(Array.from({ length: 60 }, ada));
      expect(gone.filter(({ status }) => status === 404)).toHaveLength(50);
      expect(gone.filter(({ status }) => status === 429)).toHaveLength(10);
      for (const { headers } of gone) expect(headers.get('ratelimit-policy')).toBe(whole);
    });
  });

  test('every answer says what is left', async () => {
    const { live_key } = await system.account();
    const response = await get('/v1/metrics', live_key);
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=200;w=2');
    expect(response.headers.get('ratelimit')).toMatch(/^"default";r=(199;t=1|200;t=0)$/);
  });
});
