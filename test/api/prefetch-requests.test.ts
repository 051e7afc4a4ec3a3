// Checks every page and document that needs no credential: a HEAD request or a prefetch writes
// nothing. Every write of the system counts, so it has a system of its own, whose clock is frozen:
// no schedule comes due meanwhile.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../functions/api/reference/contract.ts';
import { environmentWithOura } from '../harness/shared-system.ts';
import { type System, startSystem } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let token: string;
let userId: string;
beforeAll(async () => {
  system = await startSystem({ env: environmentWithOura() });
  system.clock.freeze();
  token = (await system.account()).live_key;
  userId = await system.user(token);
});
afterAll(() => system.stop());

const publicPages = contract.filter(({ route, callers }) => route.method === 'get' && callers.length === 0);
const prefetchRequests = [{ method: 'HEAD' }, { method: 'GET', headers: { 'sec-purpose': 'prefetch' } }];
const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query']);

test.each(publicPages.map((endpoint) => [endpoint.route.operationId, endpoint] as const))(
  '%s writes nothing on a HEAD request or a prefetch',
  async (name, { route }) => {
    const sample = await samples[name]?.({ system, token, userId });
    if (!sample) throw new Error(`${name} has no sample`);
    await system.host.drain();
    const url = system.host.baseUrl + pathOf(route.path, sample.params) + (sample.query ?? '');
    for (const { method, headers } of prefetchRequests) {
      const before = system.calls.length;
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: { accept: 'text/html', ...sample.headers, ...headers },
      });
      const text = await response.text();
      await system.host.drain();
      const isTooEarly = name === 'completeConnectPage' && method === 'GET';
      expect([method, response.status]).toEqual([method, isTooEarly ? 425 : sample.status]);
      if (method === 'HEAD') expect(text).toBe('');
      const writes = system.calls.slice(before).filter(({ operation }) => !readOperations.has(operation));
      expect(writes).toEqual([]);
    }
  },
);
