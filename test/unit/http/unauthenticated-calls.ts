// Functions that unauthenticated callers use, and the calls by which they are limited.
import { expect, test } from 'vitest';
import { catalogsApi } from '../../../functions/api/catalogs/app.ts';
import { guidesApi } from '../../../functions/api/guides/app.ts';
import { pushApi } from '../../../functions/api/push/app.ts';
import { referenceApi } from '../../../functions/api/reference/app.ts';
import { sdkApi } from '../../../functions/api/sdk/app.ts';
import { tokensApi } from '../../../functions/api/tokens/app.ts';
import { makeDeps } from '../../../functions/runtime/deps.ts';
import type { Api } from '../../../shared/http/api.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { addressRateLimit } from '../../../shared/platform/rate-limit.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

export const world = memoryDeps();

/** A function with its own memory, a frozen clock and a table that counts its calls. */
export function someFunction(group: (deps: Deps) => Api) {
  const calls: string[] = [];
  const { table } = world;
  const countCalls =
    <Asked extends unknown[], Answer>(name: string, call: (...args: Asked) => Answer) =>
    (...args: Asked): Answer => {
      calls.push(name);
      return call(...args);
    };
  const countingTable: Table = {
    get: countCalls('get', table.get),
    batchGet: countCalls('batchGet', table.batchGet),
    query: countCalls('query', table.query),
    queryAll: countCalls('queryAll', table.queryAll),
    write: countCalls('write', table.write),
    transact: countCalls('transact', table.transact),
    batchWrite: countCalls('batchWrite', table.batchWrite),
  };
  const at = world.clock.now();
  const deps = makeDeps({
    table: countingTable,
    queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
    bus: { publish: async () => {} },
    rootSecret: 'a root secret of more than 32 characters',
    clock: { now: () => at },
    log: () => {},
    deployment: { kind: 'local' },
  });
  const api = group(deps);
  const ask = (
    path: string,
    { token, address = '192.0.2.1', body }: { token?: string; address?: string; body?: object } = {},
  ): Promise<Response> =>
    requestInProcess(api, path, {
      address,
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return { api, ask, calls, deps, nowMs: at };
}

const guess = 'verification_token=guessed&challenge=c';
type Kind = [string, (deps: Deps) => Api, string, { token?: string; body?: object }, number];
const kinds: Kind[] = [
  ['without a token', catalogsApi, '/v1/metrics', {}, 401],
  ['with an invented key', catalogsApi, '/v1/metrics', { token: `sk_live_${'a'.repeat(49)}` }, 401],
  ['to exchange a token', sdkApi, '/v1/sdk/sessions/exchange', { body: { client_token: 'ct_x' } }, 401],
  ['to refresh', sdkApi, '/v1/sdk/sessions/refresh', { body: { refresh_token: 'sdk_rt_x' } }, 401],
  ['for the public keys', tokensApi, '/.well-known/jwks.json', {}, 200],
  ['for the documentation', referenceApi, '/docs', {}, 200],
  ['for a guide', guidesApi, '/docs/webhooks', {}, 200],
  ['for a missing page', referenceApi, '/nothing', {}, 404],
  ['as an unsigned push', pushApi, '/v1/providers/oura/push', { body: { event_type: 'update' } }, 401],
  ['with an oversized push', pushApi, '/v1/providers/oura/push', { body: { a: 'x'.repeat(64_000) } }, 413],
  ['that guess a verification token', pushApi, `/v1/providers/oura/push?${guess}`, {}, 401],
  ['to a guessed push path', pushApi, '/v1/providers/withings/push/guessed', {}, 401],
  ['that only ping', pushApi, '/v1/providers/polar/push', { body: { event: 'PING' } }, 200],
  ['that check whether the push path exists', pushApi, '/v1/providers/coros/push', {}, 200],
];

/** Defines the tests for all kinds of calls, or for those selected. */
export function testLimits(isSelected: (kind: string) => boolean = () => true): void {
  test.each(kinds.filter(([kind]) => isSelected(kind)))(
    '%s are limited by address',
    async (_what, group, path, options, status) => {
      const { ask } = someFunction(group);
      for (let times = 0; times < addressRateLimit.burst; times++)
        expect((await ask(path, options)).status).toBe(status);
      const refused = await ask(path, options);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
      expect(JSON.parse(await refused.text()).error).toBe('rate_limited');
      expect((await ask(path, { ...options, address: '192.0.2.2' })).status).toBe(status);
    },
  );
}
