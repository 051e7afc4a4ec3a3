// The HTTP kit is open: an API group adds a caller kind, a raw body and terms of its own without a
// change to the kit.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createRoute } from '@hono/zod-openapi';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { apiKey } from '../../../functions/api/callers/api-key.ts';
import { userToken } from '../../../functions/api/callers/user-token.ts';
import { contract } from '../../../functions/api/reference/contract.ts';
import { createAccount, type NewAccount } from '../../../shared/accounts/accounts.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { createApi } from '../../../shared/http/api.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { buildOpenApiDocument } from '../../../shared/http/openapi.ts';
import { json, rawBody } from '../../../shared/http/responses.ts';
import { createUser } from '../../../shared/users/users.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const providerSecret = 'a secret that the vendor has too';
const signatureOf = (bytes: Uint8Array) => createHmac('sha256', providerSecret).update(bytes).digest('hex');

/** A provider that pushes, recognized by its signature over the exact bytes of the body. */
const acmePush: CallerKind<{ kind: 'acme_push'; vendor: string }> = {
  name: 'acme_push',
  securityScheme: { type: 'apiKey', in: 'header', name: 'X-Acme-Signature', description: 'Signed by Acme.' },
  failures: ['unauthorized', 'invalid_token'],
  isPresent: (request) => request.header('x-acme-signature') !== undefined,
  missingMessage: 'No signature provided. Send it in the X-Acme-Signature header.',
  unknownMessage: 'The signature does not match the body.',
  createRecognizer: () => async (request) => {
    const signature = request.header('x-acme-signature');
    const expected = Buffer.from(signatureOf(new Uint8Array(await request.arrayBuffer())));
    if (signature?.length !== expected.length || !timingSafeEqual(Buffer.from(signature), expected)) return undefined;
    return { admit: async () => ({ caller: { kind: 'acme_push', vendor: 'acme' }, suspended: false }) };
  },
};

const Received = z
  .object({
    vendor: z.string().meta({ examples: ['acme'] }),
    hex: z.string().meta({ examples: ['7b7d'] }),
    topic: z.string().meta({ examples: ['sleep'] }),
  })
  .meta({ id: 'Received', description: 'What arrived.' });
const push = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/push/acme',
    operationId: 'acmePush',
    description: 'Receives a push from Acme.',
    request: { body: rawBody('application/json', 'The bytes that Acme signs.', '{}') },
    responses: { 200: json(Received, 'It arrived.') },
  }),
  {
    callers: [acmePush],
    reveals: 'state',
    audits: false,
    changes: 'nothing',
    bodyLimits: { wireBytes: 100 },
    ignoresUnknownParameters: true,
  },
);

const Seen = z.object({ by: z.string().meta({ examples: ['api_key'] }) }).meta({ id: 'Seen', description: 'By whom.' });
const seen = (path: string, params: z.ZodObject) => ({
  method: 'get' as const,
  path,
  description: 'Returns the kind of the caller.',
  request: { params },
  responses: { 200: json(Seen, 'Seen.') },
});
const text = z.string().meta({ description: 'One of them.', examples: ['x'] });
const invite = defineEndpoint(
  createRoute({ ...seen('/invites/{id}', z.object({ id: text })), operationId: 'invite' }),
  {
    callers: [apiKey],
    reveals: 'state',
    liveOnly: true,
  },
);
const diary = defineEndpoint(
  createRoute({ ...seen('/diaries/{person}', z.object({ person: text })), operationId: 'diary' }),
  {
    callers: [apiKey, userToken],
    reveals: 'state',
    user: 'person',
  },
);
const thing = defineEndpoint(createRoute({ ...seen('/things/{id}', z.object({ id: text })), operationId: 'thing' }), {
  callers: [apiKey, userToken],
  reveals: 'state',
});

const world = memoryDeps();
const api = createApi(world.deps);
api.openapi(push, async (c) => {
  const hex = Buffer.from(await c.req.arrayBuffer()).toString('hex');
  return c.json({ vendor: c.var.caller.vendor, hex, topic: c.req.header('x-acme-topic') ?? '' }, 200);
});
api.openapi(invite, async (c) => c.json({ by: c.var.caller.kind }, 200));
api.openapi(diary, async (c) => c.json({ by: c.var.caller.kind }, 200));
api.openapi(thing, async (c) => c.json({ by: c.var.caller.kind }, 200));

const readResponse = async (answer: Promise<Response>) => {
  const { status, headers } = await answer;
  return { status, headers, body: JSON.parse(await (await answer).text()) };
};
const sendPush = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  readResponse(
    requestInProcess(api, '/push/acme', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    }),
  );
const sendGet = (path: string, token: string) =>
  readResponse(requestInProcess(api, path, { headers: { authorization: `Bearer ${token}` } }));

describe('a push signed by a provider', () => {
  const odd = new Uint8Array([...Buffer.from('{ "a" :1,'), 0x0d, 0x0a, 0xff, 0x00, 0x20]);

  test('reaches the handler byte for byte, even if it is not JSON, with its headers and its caller', async () => {
    const answer = await sendPush(odd, { 'x-acme-signature': signatureOf(odd), 'x-acme-topic': 'sleep' });
    expect([answer.status, answer.body]).toEqual([
      200,
      { vendor: 'acme', hex: Buffer.from(odd).toString('hex'), topic: 'sleep' },
    ]);
    expect(world.log.at(-1)).toMatchObject({ fields: { route: '/push/acme', status: 200, caller: 'acme_push' } });
  });

  test('is rejected with the messages of its kind if it is unsigned or one byte has changed', async () => {
    const changed = odd.with(0, 0x5b);
    const unsigned = await sendPush(odd);
    expect([unsigned.status, unsigned.body.error, unsigned.body.message]).toEqual([
      401,
      'unauthorized',
      acmePush.missingMessage,
    ]);
    const forged = await sendPush(changed, { 'x-acme-signature': signatureOf(odd) });
    expect([forged.status, forged.body.error, forged.body.message]).toEqual([
      401,
      'invalid_token',
      acmePush.unknownMessage,
    ]);
    expect(forged.headers.get('ratelimit-policy')).toBe('"default";q=500;w=10');
  });

  test('has a size limit like any other body', async () => {
    const large = new Uint8Array(101);
    const answer = await sendPush(large, { 'x-acme-signature': signatureOf(large) });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
  });

  test('is the only credential that its route accepts', async () => {
    const { live_key } = await createAccount(world.deps, { name: 'another' });
    const answer = await sendPush(odd, { authorization: `Bearer ${live_key}` });
    expect([answer.status, answer.body.error, answer.body.message]).toEqual([
      401,
      'unauthorized',
      acmePush.missingMessage,
    ]);
    const forged = await sendPush(odd, { authorization: `Bearer ${live_key}`, 'x-acme-signature': 'mine' });
    expect([forged.status, forged.body.error, forged.body.message]).toEqual([
      401,
      'invalid_token',
      acmePush.unknownMessage,
    ]);
  });
});

describe('the terms of a route', () => {
  let account: NewAccount;
  let ada: { id: string; token: string };
  beforeAll(async () => {
    account = await createAccount(world.deps, { name: 'a customer' });
    const caller = { kind: 'api_key', account: account.account_id, env: 'live', form: 2 } as const;
    const { id } = await createUser(world.deps, caller, {});
    ada = { id, token: (await createUserTokenIssuer(world.deps)(caller, id)).token };
  });

  test('reject a sandbox key on a route for live keys', async () => {
    expect((await sendGet('/invites/x', account.live_key)).status).toBe(200);
    const refused = await sendGet('/invites/x', account.sandbox_key);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.body.message).toContain('live key');
  });

  test('name the parameter that holds the user, regardless of what it is called', async () => {
    expect(await sendGet(`/diaries/${ada.id}`, ada.token)).toMatchObject({ status: 200, body: { by: 'user_token' } });
    expect(await sendGet('/diaries/usr_x', ada.token)).toMatchObject({
      status: 403,
      body: { error: 'wrong_user', message: 'This user token was issued for a different user.' },
    });
    expect((await sendGet('/diaries/usr_x', account.live_key)).status).toBe(200);
  });

  test('do not treat a parameter called id as the user unless they say so', async () => {
    expect(await sendGet(`/things/${ada.id}`, ada.token)).toMatchObject({ status: 403, body: { error: 'wrong_user' } });
    expect((await sendGet(`/things/${ada.id}`, account.live_key)).status).toBe(200);
  });
});

describe('the OpenAPI document', () => {
  const facts = { version: '1', serverUrl: 'https://api.example.com', description: 'x', tags: [] };
  const openApiDocument = JSON.parse(JSON.stringify(buildOpenApiDocument([push, invite, diary, thing], facts)));

  test('describes a new caller kind and its failures', () => {
    const operation = openApiDocument.paths['/push/acme'].post;
    expect(openApiDocument.components.securitySchemes.acme_push).toEqual(acmePush.securityScheme);
    expect(operation.security).toEqual([{ acme_push: [] }]);
    expect(operation.requestBody.content['application/json']).toEqual({
      schema: { type: 'string', format: 'binary' },
      example: '{}',
    });
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '401', '413', '429', '500']));
    for (const other of ['400', '403', '415']) expect(Object.keys(operation.responses)).not.toContain(other);
  });

  test.each([
    ['made-up routes', openApiDocument],
    ['the contract', JSON.parse(JSON.stringify(buildOpenApiDocument(contract, facts)))],
  ])('uses in %s only keywords that OpenAPI has', (_what, document) => {
    const keywords = new Set(
      Object.values<object>(document.paths).flatMap((item) =>
        Object.values<object>(item as Record<string, object>).flatMap((operation) => Object.keys(operation)),
      ),
    );
    // Keys that begin with x- are OpenAPI extensions; the reference page reads this one.
    const known = [
      'x-shown-parameters',
      'operationId',
      'tags',
      'summary',
      'description',
      'security',
      'parameters',
      'requestBody',
      'responses',
    ];
    expect([...keywords].filter((word) => !known.includes(word))).toEqual([]);
  });
});

test('only a GET may be eager, because its handler can run for a caller who is then rejected', () => {
  const responses = { 204: { description: 'Done.' } };
  const path = '/v1/acme';
  expect(() =>
    defineEndpoint(createRoute({ method: 'post', path, operationId: 'push', responses }), {
      callers: [apiKey],
      reveals: 'state',
      audits: false,
      changes: 'nothing',
      eager: true,
    }),
  ).toThrow('push cannot be eager');
  expect(
    defineEndpoint(createRoute({ method: 'get', path, operationId: 'look', responses }), {
      callers: [apiKey],
      reveals: 'state',
      eager: true,
    }),
  ).toMatchObject({ eager: true });
});

test('an endpoint with callers says what it reveals, and one without reveals nothing', () => {
  const route = createRoute({
    method: 'get',
    path: '/v1/acme',
    operationId: 'look',
    responses: { 204: { description: 'Done.' } },
  });
  expect(() => defineEndpoint(route, { callers: [apiKey], reveals: 'nothing' })).toThrow('look must reveal');
  expect(() => defineEndpoint(route, { callers: [], reveals: 'values' })).toThrow('look must reveal');
});
