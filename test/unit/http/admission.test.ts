// A cached caller is served while it is admitted again, and never learns anything that the new
// admission would not allow.
import { createRoute } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../shared/http/api.ts';
import type { CallerKind, KnownCaller } from '../../../shared/http/caller-kind.ts';
import { defineEndpoint, defineForm1Endpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { addressRateLimit } from '../../../shared/platform/rate-limit.ts';
import { RateLimited } from '../../../shared/system/admission.ts';
import type { ApiForm } from '../../../shared/system/caller.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

interface Member extends KnownCaller {
  kind: 'member';
  form: ApiForm;
}

/** Had Form 2 when it was last seen; each test sets its current form. */
const member = (admit: () => Promise<ApiForm>): CallerKind<Member> => ({
  name: 'member',
  securityScheme: { type: 'http', scheme: 'bearer', description: 'A member.' },
  failures: ['unauthorized'],
  isPresent: (request) => request.header('authorization') !== undefined,
  missingMessage: 'Show your card.',
  unknownMessage: 'This is not a card.',
  createRecognizer: () => async (request) => {
    if (request.header('authorization') !== 'card') return undefined;
    return {
      findCachedCaller: () => ({ kind: 'member', form: 2 }),
      admit: async () => ({ caller: { kind: 'member', form: await admit() }, suspended: false }),
    };
  },
});

const Form = z.object({ form: z.number() });

function createClubApi(admit: () => Promise<ApiForm>, refusesForm2 = false) {
  const world = memoryDeps();
  const api = createApi(world.deps);
  const asked: number[] = [];
  const route = { method: 'get', path: '/club', responses: { 200: json(Form, 'The form.') } } as const;
  const text = z.string().optional();
  const read = defineEndpoint(
    createRoute({ ...route, operationId: 'read', request: { query: z.object({ cursor: text }) } }),
    { callers: [member(admit)], reveals: 'state', eager: true, otherFormParameters: { page: 'cursor' } },
  );
  const respond = (form: ApiForm, served: Member): [body: { form: number }, 200, headers: Record<string, string>] => {
    expect(served.form).toBe(form);
    asked.push(form);
    if (form === 2 && refusesForm2) throw new Failure('not_found', 'Form 2 has nothing.');
    return [{ form }, 200, { [`X-Answer-${form}`]: 'yes' }];
  };
  api.openapi(read, async (c) => {
    c.header('X-Form-2', 'yes');
    return c.json(...respond(2, c.var.caller));
  });
  api.openapi(
    defineForm1Endpoint(
      read,
      createRoute({ ...route, operationId: 'readForm1', request: { query: z.object({ page: text }) } }),
      { otherFormParameters: { cursor: 'page' } },
    ),
    async (c) => {
      c.header('X-Form-1', 'yes');
      return c.json(...respond(1, c.var.caller));
    },
  );
  const write = defineEndpoint(
    createRoute({
      method: 'post',
      path: '/club',
      operationId: 'write',
      request: { body: jsonBody(Form) },
      responses: { 200: json(Form, 'The form.') },
    }),
    { callers: [member(admit)], reveals: 'state', audits: false, changes: 'nothing' },
  );
  api.openapi(write, async (c) => c.json(c.req.valid('json'), 200));
  const ask = async (query = '') => {
    const answer = await requestInProcess(api, `/club${query}`, { headers: { authorization: 'card' } });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  };
  return { api, ask, asked, log: world.log, clock: world.clock };
}

test('an unchanged caller is answered once, in parallel with its admission', async () => {
  const admission = Promise.withResolvers<ApiForm>();
  const { ask, asked, log } = createClubApi(() => admission.promise);
  const answer = ask();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([2]);
  admission.resolve(2);
  expect(await answer).toMatchObject({ status: 200, body: { form: 2 } });
  expect([asked, log.length]).toEqual([[2], 1]);
});

test('a caller whose form has changed gets the new form and nothing of the old one', async () => {
  const { ask, asked, log } = createClubApi(async () => 1);
  const { status, headers, body } = await ask();
  expect([status, body, asked]).toEqual([200, { form: 1 }, [2, 1]]);
  expect(['x-answer-1', 'x-form-1', 'x-answer-2', 'x-form-2'].map((name) => headers.get(name))).toEqual([
    'yes',
    'yes',
    null,
    null,
  ]);
  expect(log).toMatchObject([{ level: 'info', fields: { status: 200 } }]);
});

test('a failure of the previous form is neither returned nor logged', async () => {
  const { ask, log } = createClubApi(async () => 1, true);
  expect(await ask()).toMatchObject({ status: 200, body: { form: 1 } });
  expect(log[0]?.fields).not.toHaveProperty('code');
});

test('the parameter names of the other form are those of the form that is served now', async () => {
  const { ask } = createClubApi(async () => 1);
  expect(await ask('?cursor=x')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  expect(await ask('?page=2')).toMatchObject({ status: 200 });
});

test('a caller who is now rejected sees nothing of what was read in the meantime', async () => {
  const { ask, asked, log } = createClubApi(async () => {
    throw new Failure('token_expired', 'The card has expired.');
  });
  const { status, headers, body } = await ask();
  expect([status, body.error, asked]).toEqual([401, 'token_expired', [2]]);
  expect(['x-answer-2', 'x-form-2', 'etag'].map((name) => headers.get(name))).toEqual([null, null, null]);
  expect(log).toMatchObject([{ fields: { status: 401, code: 'token_expired' } }]);
});

test('a caller over its own limit does not draw on the bucket of its address', async () => {
  const { api, ask, clock } = createClubApi(async () => {
    throw new RateLimited({ fullAtMs: 60_000, nowMs: 0 });
  });
  clock.freeze();
  for (let times = 0; times <= addressRateLimit.burst; times++) expect((await ask()).status).toBe(429);
  expect((await requestInProcess(api, '/club')).status).toBe(401);
});

test.each([
  ['malformed', '{"form":'],
  ['too large', `{"form":${' '.repeat(1_000_001)}1}`],
])('an unauthenticated caller with a %s body is rejected as unauthenticated first', async (_what, body) => {
  const { api } = createClubApi(async () => 2);
  const headers = { 'content-type': 'application/json' };
  expect((await requestInProcess(api, '/club', { method: 'POST', body, headers })).status).toBe(401);
});

test.each(['application/json;', 'application/json ; charset=utf-8', 'Application/JSON'])(
  'the content type %s is accepted as JSON',
  async (type) => {
    const { api } = createClubApi(async () => 2);
    const headers = { authorization: 'card', 'content-type': type };
    const answer = await requestInProcess(api, '/club', { method: 'POST', body: '{"form":1}', headers });
    expect([answer.status, await answer.text()]).toEqual([200, '{"form":1}']);
  },
);
