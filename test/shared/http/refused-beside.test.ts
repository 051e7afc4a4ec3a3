// A caller of yesterday who is admitted today, but no longer to this route, sees nothing of what was read beside; and who is limited by address.
import { createRoute } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { newApi } from '../../../shared/http/api.ts';
import type { CallerKind, KnownCaller } from '../../../shared/http/callers/caller-kind.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/responses.ts';
import { addressRateLimit } from '../../../shared/model/rate-limit.ts';
import { askKit } from '../../harness/kit-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const Read = z.object({ read: z.string() });
const suspended: CallerKind<KnownCaller> = {
  name: 'member',
  securityScheme: { type: 'http', scheme: 'bearer', description: 'A member.' },
  failures: ['unauthorized'],
  shows: () => true,
  missing: 'Show your card.',
  unknown: 'This is no card.',
  open: () => async () => ({
    lastSeen: () => ({ kind: 'member' }),
    admit: async () => ({ caller: { kind: 'member' }, suspended: true }),
  }),
};

test('a plan that was suspended meanwhile: the refusal has none of the headers of what was read', async () => {
  const world = memoryDeps();
  const api = newApi(world.deps);
  const club = endpoint(
    createRoute({ method: 'get', path: '/club', operationId: 'club', responses: { 200: json(Read, 'Read.') } }),
    { callers: [suspended], eager: true, failures: ['payment_required'] },
  );
  api.openapi(club, async (c) => {
    c.header('X-Read', 'yes');
    return c.json({ read: 'something' }, 200);
  });
  const answer = await askKit(api, '/club');
  expect([answer.status, JSON.parse(await answer.text()).error]).toEqual([402, 'payment_required']);
  expect([answer.headers.get('x-read'), answer.headers.get('etag')]).toEqual([null, null]);
  expect(world.log).toMatchObject([{ fields: { status: 402, code: 'payment_required' } }]);
});

test.each([
  [true, 200],
  [undefined, 429],
])('a route for anybody that is unlimited: %s answers one address too many with %i', async (unlimited, status) => {
  const api = newApi(memoryDeps().deps);
  const health = endpoint(
    createRoute({ method: 'get', path: '/health', operationId: 'health', responses: { 200: json(Read, 'Read.') } }),
    { callers: [], ...(unlimited ? { unlimited } : {}) },
  );
  api.openapi(health, async (c) => c.json({ read: 'well' }, 200));
  const ask = async () => (await askKit(api, '/health')).status;
  for (let asked = 0; asked <= addressRateLimit.burst; asked++) await ask();
  expect(await ask()).toBe(status);
});
