// A cached caller who is admitted, but no longer allowed on this route, sees nothing of what was
// read in the meantime. Also covers the limit by address.
import { createRoute } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../shared/http/api.ts';
import type { CallerKind, KnownCaller } from '../../../shared/http/caller-kind.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/responses.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { addressRateLimit } from '../../../shared/platform/rate-limit.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const Read = z.object({ read: z.string() });
const suspended: CallerKind<KnownCaller> = {
  name: 'member',
  securityScheme: { type: 'http', scheme: 'bearer', description: 'A member.' },
  failures: ['unauthorized'],
  isPresent: () => true,
  missingMessage: 'Show your card.',
  unknownMessage: 'This is not a card.',
  createRecognizer: () => async () => ({
    findCachedCaller: () => ({ kind: 'member' }),
    admit: async () => ({ caller: { kind: 'member' }, suspended: true }),
  }),
};

test('the refusal of a suspended plan has none of the headers of what was read in the meantime', async () => {
  const world = memoryDeps();
  const api = createApi(world.deps);
  const club = defineEndpoint(
    createRoute({ method: 'get', path: '/club', operationId: 'club', responses: { 200: json(Read, 'Read.') } }),
    { callers: [suspended], reveals: 'state', eager: true, failures: ['payment_required'] },
  );
  api.openapi(club, async (c) => {
    c.header('X-Read', 'yes');
    return c.json({ read: 'something' }, 200);
  });
  const answer = await requestInProcess(api, '/club');
  expect([answer.status, JSON.parse(await answer.text()).error]).toEqual([402, 'payment_required']);
  expect([answer.headers.get('x-read'), answer.headers.get('etag')]).toEqual([null, null]);
  expect(world.log).toMatchObject([{ fields: { status: 402, code: 'payment_required' } }]);
});

test.each([
  [true, 200],
  [undefined, 429],
])(
  'a public route with unlimited: %s answers a call beyond the limit of an address with %i',
  async (unlimited, status) => {
    const { deps, clock } = memoryDeps();
    clock.freeze();
    const api = createApi(deps);
    const health = defineEndpoint(
      createRoute({ method: 'get', path: '/health', operationId: 'health', responses: { 200: json(Read, 'Read.') } }),
      { callers: [], reveals: 'nothing', ...(unlimited ? { unlimited } : {}) },
    );
    api.openapi(health, async (c) => c.json({ read: 'well' }, 200));
    const sendRequest = async () => (await requestInProcess(api, '/health')).status;
    for (let count = 0; count <= addressRateLimit.burst; count++) await sendRequest();
    expect(await sendRequest()).toBe(status);
  },
);

test('a route that writes waits until its caller is admitted, and does nothing for one who is rejected', async () => {
  const api = createApi(memoryDeps().deps);
  const refused: CallerKind<KnownCaller> = {
    ...suspended,
    createRecognizer: () => async () => ({
      findCachedCaller: () => ({ kind: 'member' }),
      admit: () => Promise.reject(new Failure('invalid_token', 'The card was revoked.')),
    }),
  };
  const write = defineEndpoint(
    createRoute({ method: 'post', path: '/club', operationId: 'write', responses: { 200: json(Read, 'Written.') } }),
    { callers: [refused], reveals: 'state', audits: false, changes: 'nothing' },
  );
  let written = 0;
  api.openapi(write, async (c) => {
    written++;
    return c.json({ read: 'written' }, 200);
  });
  expect([(await requestInProcess(api, '/club', { method: 'POST' })).status, written]).toEqual([401, 0]);
});

test('an unavailable engine is reported with the time to retry', async () => {
  const api = createApi(memoryDeps().deps);
  const unavailableRoute = defineEndpoint(
    createRoute({ method: 'get', path: '/away', operationId: 'away', responses: { 200: json(Read, 'Read.') } }),
    { callers: [], reveals: 'nothing' },
  );
  api.openapi(unavailableRoute, () => Promise.reject(new EngineUnavailable('the table is unavailable')));
  const answer = await requestInProcess(api, '/away');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});
