// What the requests of a colleague leave in the audit trail, and that nobody else's cost more.
import { createRoute } from '@hono/zod-openapi';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import { createApi } from '../../../shared/http/api.ts';
import type { CallerKind, KnownCaller } from '../../../shared/http/caller-kind.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { EngineUnavailable, type Table } from '../../../shared/platform/ports.ts';
import type { Actor, Environment } from '../../../shared/system/caller.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

interface Staff extends KnownCaller {
  account: string;
  env: Environment;
}
const actors: Record<string, Actor> = {
  ada: { kind: 'colleague', id: 'clg_ada', email: 'ada@example.com' },
  bea: { kind: 'colleague', id: 'clg_bea', email: 'bea@example.com' },
  key: { kind: 'api_key', id: 'key_01k9p3vvj9r2d4f6h8k0m2p4s6' },
};

/** Admits the name in the header. A caller called `leaver` is rejected while a read is prepared. */
const staff: CallerKind<Staff> = {
  name: 'staff',
  securityScheme: { type: 'apiKey', in: 'header', name: 'X-Name', description: 'A name.' },
  failures: ['unauthorized'],
  isPresent: () => true,
  missingMessage: 'No name.',
  unknownMessage: 'No such name.',
  createRecognizer: () => async (request) => {
    const name = request.header('x-name') ?? '';
    const actor = actors[name === 'leaver' ? 'ada' : name];
    const caller: Staff = { kind: 'staff', account: 'acc_1', env: 'live', form: 2, ...(actor ? { actor } : {}) };
    return {
      admit: async () => {
        if (name === 'leaver') throw new Failure('invalid_token', 'Gone.');
        return { caller, suspended: false };
      },
      findCachedCaller: () => caller,
    };
  },
};

const Nothing = z.object({}).meta({ id: 'Nothing', description: 'Nothing.' });
const params = z.object({ id: z.string() });
const responses = { 200: json(Nothing, 'Done.') };
const read = defineEndpoint(
  createRoute({ method: 'get', path: '/users/{id}', operationId: 'read', request: { params }, responses }),
  { callers: [staff], reveals: 'values', user: 'id', eager: true },
);
const preview = defineEndpoint(
  createRoute({ method: 'post', path: '/users/{id}/preview', operationId: 'preview', request: { params }, responses }),
  { callers: [staff], reveals: 'values', audits: 'user.looked_at', changes: 'nothing', user: 'id' },
);
const remove = defineEndpoint(
  createRoute({ method: 'delete', path: '/users/{id}', operationId: 'remove', request: { params }, responses }),
  { callers: [staff], reveals: 'values', audits: 'user.deleted', changes: 'data', user: 'id' },
);
const issue = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/tokens',
    operationId: 'issue',
    request: { body: jsonBody(z.object({ user_id: z.string(), note: z.string() })) },
    responses,
  }),
  { callers: [staff], reveals: 'values', audits: 'user_token.created', changes: 'credentials' },
);

const ada = makeId('user', 1, new Uint8Array(10));
const missing = makeId('user', 2, new Uint8Array(10));

function openWorld() {
  const world = memoryDeps();
  let [writes, isDown] = [0, false];
  const count = () => {
    if (isDown) throw new EngineUnavailable('the table is unavailable');
    writes++;
  };
  const table: Table = {
    ...world.table,
    async write(write) {
      count();
      return world.table.write(write);
    },
    async transact(all) {
      count();
      return world.table.transact(all);
    },
  };
  const openApi = () => {
    const api = createApi(world.withTable(table));
    const find = (id: string): Record<string, string> => {
      if (id !== ada) throw new Failure('not_found', 'No such user.');
      return { 'X-Value': 'secret' };
    };
    api.openapi(read, async (c) => c.json({}, 200, find(c.req.valid('param').id)));
    api.openapi(preview, async (c) => c.json({}, 200, find(c.req.valid('param').id)));
    api.openapi(remove, async (c) => c.json({}, 200, find(c.req.valid('param').id)));
    api.openapi(issue, async (c) => c.json({}, 200));
    return api;
  };
  const api = openApi();
  const send = (name: string, method: string, path: string, body?: object, served = api) =>
    requestInProcess(served, path, {
      method,
      headers: { 'x-name': name, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      address: '203.0.113.77',
    });
  const caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 } as const;
  return {
    ...world,
    openApi,
    send,
    list: async () => (await listAudit(world.deps, caller, { limit: 50 })).entries,
    takeWrites: () => {
      const taken = writes;
      writes = 0;
      return taken;
    },
    setDown: (value: boolean) => {
      isDown = value;
    },
  };
}
let world: ReturnType<typeof openWorld>;
beforeEach(() => {
  world = openWorld();
});

describe('an act', () => {
  test('of a colleague leaves one entry with its user, its network and its request', async () => {
    expect((await world.send('ada', 'DELETE', `/users/${ada}`)).status).toBe(200);
    expect(await world.list()).toMatchObject([
      {
        actor: { kind: 'colleague', id: 'clg_ada', email: 'ada@example.com' },
        action: 'user.deleted',
        environment: 'live',
        user_id: ada,
        resource_ids: [],
        outcome: 'done',
        network: '203.0.113.0/24',
        request_id: 'a-request',
      },
    ]);
    expect(world.takeWrites()).toBe(2);
  });

  test('that fails is marked with its code', async () => {
    expect((await world.send('ada', 'DELETE', `/users/${missing}`)).status).toBe(404);
    expect(await world.list()).toMatchObject([{ user_id: missing, outcome: 'failed', code: 'not_found' }]);
  });

  test('finds its user in the body, and stores nothing else of it', async () => {
    await world.send('ada', 'POST', '/tokens', { user_id: ada, note: 'the weight of Ada' });
    expect(await world.list()).toMatchObject([{ action: 'user_token.created', user_id: ada, outcome: 'done' }]);
    expect(JSON.stringify(world.table.rows())).not.toContain('weight');
  });

  test('that is malformed or has no entry does not begin', async () => {
    expect((await world.send('ada', 'POST', '/tokens', { user_id: 1 })).status).toBe(400);
    world.setDown(true);
    expect((await world.send('ada', 'DELETE', `/users/${ada}`)).status).toBe(503);
    world.setDown(false);
    expect([await world.list(), world.takeWrites()]).toEqual([[], 0]);
  });

  test('of an API key is recorded if it manages, and costs nothing if it is done for every user', async () => {
    await world.send('key', 'POST', '/tokens', { user_id: ada, note: '' });
    expect([await world.list(), world.takeWrites()]).toEqual([[], 0]);
    await world.send('key', 'DELETE', `/users/${ada}`);
    expect(await world.list()).toMatchObject([
      { actor: { kind: 'api_key', id: 'key_01k9p3vvj9r2d4f6h8k0m2p4s6', email: null }, action: 'user.deleted' },
    ]);
    expect(world.takeWrites()).toBe(2);
  });

  test('of a caller without an actor costs nothing', async () => {
    await world.send('stranger', 'DELETE', `/users/${ada}`);
    expect([await world.list(), world.takeWrites()]).toEqual([[], 0]);
  });
});

describe('a look', () => {
  const listLooks = async () =>
    (await world.list()).map(({ action, actor, user_id, outcome }) => [action, actor.id, user_id, outcome]);

  test('is one entry per colleague, user and hour, by a GET or by a POST that only reads', async () => {
    world.clock.freeze();
    for (const name of ['ada', 'ada', 'bea']) await world.send(name, 'GET', `/users/${ada}`);
    await world.send('bea', 'POST', `/users/${ada}/preview`);
    expect(await listLooks()).toEqual(
      expect.arrayContaining([
        ['user.looked_at', 'clg_ada', ada, 'done'],
        ['user.looked_at', 'clg_bea', ada, 'done'],
      ]),
    );
    expect(await listLooks()).toHaveLength(2);
    expect(world.takeWrites()).toBe(2);
    world.clock.advance(3_600_000);
    await world.send('ada', 'GET', `/users/${ada}`);
    expect(await listLooks()).toHaveLength(3);
  });

  test('by a POST that only reads is recorded as one, and not as an act', async () => {
    expect((await world.send('ada', 'POST', `/users/${ada}/preview`)).status).toBe(200);
    expect(await listLooks()).toEqual([['user.looked_at', 'clg_ada', ada, 'done']]);
    expect((await world.send('bea', 'POST', `/users/${missing}/preview`)).status).toBe(404);
    expect(await listLooks()).toHaveLength(1);
  });

  test('that another process has recorded is not recorded again', async () => {
    const other = world.openApi();
    world.clock.freeze();
    await Promise.all([
      world.send('ada', 'GET', `/users/${ada}`),
      world.send('ada', 'GET', `/users/${ada}`, undefined, other),
    ]);
    expect(await listLooks()).toHaveLength(1);
  });

  test('of an API key costs nothing', async () => {
    expect((await world.send('key', 'GET', `/users/${ada}`)).status).toBe(200);
    expect([await world.list(), world.takeWrites()]).toEqual([[], 0]);
  });

  test('at a user that was not found, or by a caller that was rejected meanwhile, is none', async () => {
    expect((await world.send('ada', 'GET', `/users/${missing}`)).status).toBe(404);
    expect((await world.send('leaver', 'GET', `/users/${ada}`)).status).toBe(401);
    expect([await world.list(), world.takeWrites()]).toEqual([[], 0]);
  });

  test('that cannot be recorded gets no response', async () => {
    world.setDown(true);
    const response = await world.send('ada', 'GET', `/users/${ada}`);
    expect([response.status, response.headers.get('x-value')]).toEqual([503, null]);
    world.setDown(false);
    expect((await world.send('ada', 'GET', `/users/${ada}`)).status).toBe(200);
    expect(await listLooks()).toHaveLength(1);
  });
});
