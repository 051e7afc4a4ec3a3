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
/** Returns the table calls that a request makes. */
async function recordTableCalls(request: () => Promise<unknown>): Promise<string[]> {
  await system.host.drain();
  const before = system.calls.length;
  await request();
  return system.calls.slice(before).map(({ operation }) => operation);
}

describe('request cost', () => {
  test('authentication and rate limiting take one table call on a warm function', async () => {
    const { live_key } = await system.account();
    await get('/v1/metrics', live_key);
    expect(await recordTableCalls(() => get('/v1/metrics', live_key))).toEqual(['UpdateItem']);
    system.clock.advance(hour);
    expect(await recordTableCalls(() => get('/v1/metrics', live_key))).toEqual(['UpdateItem']);
  });

  test('admitting a request writes one unit', async () => {
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
      // Another process may already have drawn on a row that this process reads for the first time.
      const calls = system.calls.slice(before);
      expect(calls.at(-1)).toEqual({ operation: 'UpdateItem', writeUnits: 1, readUnits: 0 });
      expect(calls.length).toBeLessThanOrEqual(2);
    }
  });

  test('a user token costs one write unit and one read unit, and its user is read with one Query', async () => {
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

  test('a mistyped key, a token from another issuer and a malformed token cost no table call', async () => {
    const { live_key } = await system.account();
    const swapped = live_key.slice(0, -1) + (live_key.endsWith('x') ? 'y' : 'x');
    const foreign = 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImEuYiJ9.e30.c2ln';
    for (const token of [swapped, foreign, 'nonsense'])
      expect(await recordTableCalls(() => get('/v1/metrics', token))).toEqual([]);
  });
});

describe('API keys', () => {
  test('a rotated key is rejected on the next request', async () => {
    const { account_id, live_key, sandbox_key } = await system.account();
    expect((await get('/v1/users', live_key)).status).toBe(200);
    const next = await createKey(system.host.deps, account_id, 'live');
    const old = await get('/v1/users', live_key);
    expect([old.status, old.body.error]).toEqual([401, 'invalid_token']);
    expect((await get('/v1/users', next)).status).toBe(200);
    expect((await get('/v1/users', sandbox_key)).status).toBe(200);
  });

  test('ten concurrent rotations leave exactly one valid key', async () => {
    const { account_id } = await system.account();
    const rotations = await Promise.allSettled(
      Array.from({ length: 10 }, () => createKey(system.host.deps, account_id, 'live')),
    );
    const keys = rotations.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const responses = await Promise.all(keys.map((key) => get('/v1/users', key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a revoked environment rejects every caller, user tokens included, until it has a key again', async () => {
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

  test('a key is valid for exactly 90 days', async () => {
    const later = await timeTravelSystem();
    const { live_key } = await later.account();
    later.clock.advance(90 * 24 * hour - 60_000);
    expect((await later.call('GET', '/v1/users', { token: live_key })).status).toBe(200);
    later.clock.advance(60_000);
    const response = await later.call('GET', '/v1/users', { token: live_key });
    expect([response.status, response.body.error]).toEqual([401, 'token_expired']);
  });

  test('no key is stored in plain text', async () => {
    const { account_id, live_key } = await system.account();
    const rows = await apiKeyRows(system.host.deps.store).listByAccount(account_id);
    expect(JSON.stringify(rows)).not.toContain(live_key.slice(8, 40));
    expect(rows.map(({ maskedKey }) => maskedKey)).toContain(`sk_live_…${live_key.slice(-4)}`);
  });
});

describe('rate limit', () => {
  // The clock is frozen, so the bucket refills only when a test advances it.
  const clock = frozenClock();
  let own: System;
  beforeAll(async () => {
    own = await startSystem({ clock });
  });
  afterAll(() => own.stop());

  test('of 260 concurrent requests exactly 200 pass, then 100 per second; other keys are unaffected', async () => {
    const [first, second] = [await own.account(), await own.account()];
    const readMetrics = (token: string) => own.call('GET', '/v1/metrics', { token });
    const readMetricsTogether = (times: number) =>
      Promise.all(Array.from({ length: times }, () => readMetrics(first.live_key)));
    const responses = await readMetricsTogether(260);
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(200);
    expect(refused).toHaveLength(60);
    for (const { headers, body } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('ratelimit')).toBe('"default";r=0;t=2');
      expect(body.error).toBe('rate_limited');
    }
    expect((await readMetrics(second.live_key)).status).toBe(200);
    expect((await readMetrics(first.sandbox_key)).status).toBe(200);
    clock.advance(250);
    expect((await readMetricsTogether(40)).filter(({ status }) => status === 200)).toHaveLength(25);
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

  test('of 300 simultaneous requests exactly 200 pass, regardless of how many functions serve them', async () => {
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

  test('requests that wait for the table are limited by what the bucket holds when they are decided', async () => {
    const { live_key } = await system.account();
    const hash = system.host.deps.keyring.hash('api-key', live_key);
    const { apiKeyRows } = await import('../../shared/accounts/api-key-rows.ts');
    const startMs = system.clock.now();
    let clockReads = 0;
    // All requests arrive at the same moment; the clock moves on while they wait for the table.
    const running = {
      now() {
        clockReads++;
        return startMs + Math.max(0, clockReads - 300);
      },
    };
    const rows = apiKeyRows(storeOn(system.host.table, running));
    const admissions = await Promise.all(Array.from({ length: 300 }, () => rows.admit(hash)));
    const admitted = admissions.filter(({ outcome }) => outcome === 'admitted').length;
    expect(admitted).toBeGreaterThan(200);
    expect(admitted).toBeLessThanOrEqual(200 + Math.ceil((running.now() - startMs) / 10));
  });

  describe('for user tokens', () => {
    const reader = async (key: string) => {
      const user = await own.user(key);
      const token = await own.userToken(key, user);
      return () => own.call('GET', `/v1/users/${user}/devices`, { token });
    };
    const limits = ({ status, headers }: ApiResponse) => [
      status,
      ...['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name)),
    ];
    const fullPolicy = '"default";q=50;w=5';

    test("a flood empties only its own user's bucket; the key and other users are unaffected", async () => {
      const { live_key } = await own.account();
      const [ada, bob] = [await reader(live_key), await reader(live_key)];
      expect(limits(await ada())).toEqual([200, fullPolicy, '"default";r=49;t=1', null]);
      const flood = await Promise.all(Array.from({ length: 60 }, ada));
      expect(flood.filter(({ status }) => status === 200)).toHaveLength(49);
      for (const refused of flood.filter(({ status }) => status !== 200)) {
        expect(limits(refused)).toEqual([429, fullPolicy, '"default";r=0;t=5', '1']);
        expect(refused.body).toMatchObject({ error: 'rate_limited', details: { retry_after_seconds: 1 } });
      }
      expect(limits(await bob())).toEqual([200, fullPolicy, '"default";r=49;t=1', null]);
      // The key was used to create two users and two tokens, and for no read.
      const response = await own.call('GET', '/v1/metrics', { token: live_key });
      expect(limits(response)).toEqual([200, '"default";q=200;w=2', '"default";r=195;t=1', null]);
      clock.advance(100);
      expect((await ada()).status).toBe(200);
      expect((await ada()).status).toBe(429);
    });

    test('all tokens of a user share one bucket across functions', async () => {
      const { live_key } = await own.account();
      const user = await own.user(live_key);
      const tokens = [await own.userToken(live_key, user), await own.userToken(live_key, user)];
      const paths = ['devices', 'daily', 'scores'];
      const requests = Array.from({ length: 60 }, (_none, n) =>
        own.call('GET', `/v1/users/${user}/${paths[n % 3]}`, { token: tokens[n % 2] ?? '' }),
      );
      const responses = await Promise.all(requests);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(50);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
    });

    test('is unaffected by a key that has exhausted its own limit', async () => {
      const { live_key } = await own.account();
      const ada = await reader(live_key);
      const getMetrics = () => own.call('GET', '/v1/metrics', { token: live_key });
      expect((await Promise.all(Array.from({ length: 210 }, getMetrics))).some(({ status }) => status === 429)).toBe(
        true,
      );
      expect(limits(await ada())).toEqual([200, fullPolicy, '"default";r=49;t=1', null]);
    });

    test('requests to a suspended account (402) and for a deleted user (404) count against the same limit', async () => {
      const { account_id, live_key } = await own.account();
      const user = await own.user(live_key);
      const token = await own.userToken(live_key, user);
      const ada = () => own.call('GET', `/v1/users/${user}/devices`, { token });
      await setAccountStatus(own.host.deps, account_id, 'suspended');
      expect(limits(await ada())).toEqual([402, fullPolicy, '"default";r=49;t=1', null]);
      await setAccountStatus(own.host.deps, account_id, 'active');
      await own.call('DELETE', `/v1/users/${user}`, { token: live_key });
      const gone = await Promise.all(Array.from({ length: 60 }, ada));
      expect(gone.filter(({ status }) => status === 404)).toHaveLength(50);
      expect(gone.filter(({ status }) => status === 429)).toHaveLength(10);
      for (const { headers } of gone) expect(headers.get('ratelimit-policy')).toBe(fullPolicy);
    });
  });

  test('every response reports the remaining requests', async () => {
    const { live_key } = await system.account();
    const response = await get('/v1/metrics', live_key);
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=200;w=2');
    expect(response.headers.get('ratelimit')).toMatch(/^"default";r=(199;t=1|200;t=0)$/);
  });
});
