// One path in two forms: which caller gets which form, with which query and under which terms.
import { createRoute } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../shared/http/api.ts';
import type { CallerKind, KnownCaller } from '../../../shared/http/caller-kind.ts';
import { defineEndpoint, defineForm1Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/responses.ts';
import type { ApiForm } from '../../../shared/system/caller.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

interface Member extends KnownCaller {
  kind: 'member';
  form: ApiForm;
}

/** The header `1` selects Form 1 and any other one Form 2; both may only access the user `me`. */
const member: CallerKind<Member> = {
  name: 'member',
  securityScheme: { type: 'http', scheme: 'bearer', description: 'A member.' },
  failures: ['unauthorized'],
  isPresent: (request) => request.header('authorization') !== undefined,
  missingMessage: 'Show your card.',
  unknownMessage: 'This is not a card.',
  createRecognizer: () => async (request) => {
    const form = request.header('authorization') === '1' ? 1 : 2;
    return { userId: 'me', admit: async () => ({ caller: { kind: 'member', form }, suspended: false }) };
  },
};

const Answer = z.object({ said: z.array(z.string()) });
const answers = { 200: json(Answer, 'The parameters that were received.') };

const read = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/people/{id}/days',
    operationId: 'read',
    request: { params: z.object({ id: z.string() }), query: z.object({ from: z.string() }) },
    responses: answers,
  }),
  { callers: [member], reveals: 'values', user: 'id', otherFormParameters: { start: 'from' } },
);
const readInForm1 = defineForm1Endpoint(
  read,
  createRoute({
    method: 'get',
    path: '/people/{person}/days',
    operationId: 'read',
    request: { params: z.object({ person: z.string() }), query: z.object({ start: z.string() }) },
    responses: answers,
  }),
  { otherFormParameters: { from: 'start', pages: { advice: 'leave it out, there is one page' } } },
);
const alike = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/people/{id}/nights',
    operationId: 'alike',
    request: { params: z.object({ id: z.string() }) },
    responses: answers,
  }),
  { callers: [member], reveals: 'values', user: 'id' },
);

function house() {
  const api = createApi(memoryDeps().deps);
  api.openapi(read, async (c) => c.json({ said: ['2', c.req.valid('param').id, c.req.valid('query').from] }, 200));
  api.openapi(readInForm1, async (c) =>
    c.json({ said: ['1', c.req.valid('param').person, c.req.valid('query').start] }, 200),
  );
  api.openapi(alike, async (c) => c.json({ said: ['alike', c.req.valid('param').id] }, 200));
  return async (form: ApiForm, path: string) => {
    const answer = await requestInProcess(api, path, { headers: { authorization: String(form) } });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
}

describe('an endpoint in two forms', () => {
  test('answers in the form of the caller, by the parameters of that form', async () => {
    const ask = house();
    expect(await ask(2, '/people/me/days?from=a')).toEqual({ status: 200, body: { said: ['2', 'me', 'a'] } });
    expect(await ask(1, '/people/me/days?start=a')).toEqual({ status: 200, body: { said: ['1', 'me', 'a'] } });
  });

  test('requires only the parameters of the form of the caller', async () => {
    const ask = house();
    expect(await ask(2, '/people/me/days')).toMatchObject({ body: { message: expect.stringContaining('from') } });
    expect(await ask(1, '/people/me/days')).toMatchObject({ body: { message: expect.stringContaining('start') } });
  });

  test.each([
    [2, 'start', 'from'],
    [1, 'from', 'start'],
  ] as const)('on Form %i rejects the name %s and suggests %s', async (form, wrong, right) => {
    const { status, body } = await house()(form, `/people/me/days?${wrong}=a&${right}=a`);
    expect([status, body.error, body.details.issues]).toEqual([
      400,
      'invalid_request',
      [{ path: wrong, message: `use ${right}` }],
    ]);
  });

  test('says what to do about a parameter that has no counterpart', async () => {
    const { body } = await house()(1, '/people/me/days?start=a&pages=2');
    expect(body.message).toBe('Unknown parameter `pages`. Leave it out, there is one page.');
    expect(body.details.issues).toEqual([{ path: 'pages', message: 'leave it out, there is one page' }]);
  });

  test('finds its user by the parameter name of its own path', () => {
    expect([read.user, readInForm1.user]).toEqual(['id', 'person']);
  });

  test('confines a caller to its own user in both forms', async () => {
    const ask = house();
    expect(await ask(2, '/people/you/days?from=a')).toMatchObject({ status: 403, body: { error: 'wrong_user' } });
    expect(await ask(1, '/people/you/days?start=a')).toMatchObject({ status: 403, body: { error: 'wrong_user' } });
  });

  test('lists the method of the path once', async () => {
    const api = createApi(memoryDeps().deps);
    api.openapi(read, async (c) => c.json({ said: [] }, 200));
    api.openapi(readInForm1, async (c) => c.json({ said: [] }, 200));
    const answer = await requestInProcess(api, '/people/me/days', { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test('an endpoint with one form is the same for every caller', async () => {
  const ask = house();
  for (const form of [1, 2] as const)
    expect(await ask(form, '/people/me/nights')).toEqual({ status: 200, body: { said: ['alike', 'me'] } });
});

test('Form 1 inherits the terms of Form 2, but not the parameter names that Form 2 rejects', () => {
  const { otherFormParameters: otherForm, callers, form2Route: form1Of } = defineForm1Endpoint(read, readInForm1.route);
  expect({ otherForm, callers, form1Of }).toEqual({ otherForm: undefined, callers: [member], form1Of: read.route });
});

test('a Form 1 endpoint must have the method and path of an endpoint that exists', () => {
  expect(() => createApi(memoryDeps().deps).openapi(readInForm1, async (c) => c.json({ said: [] }, 200))).toThrow(
    /after read/,
  );
  expect(() => defineForm1Endpoint(alike, readInForm1.route)).toThrow(/same method and path/);
  expect(() => defineForm1Endpoint(read, { ...readInForm1.route, method: 'post' })).toThrow(/same method and path/);
});
