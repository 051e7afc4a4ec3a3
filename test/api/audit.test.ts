// The audit trail over HTTP: what API keys leave in it, who sees it, and how it is read.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKey } from '../../functions/api/callers/api-key.ts';
import { contract } from '../../functions/api/reference/contract.ts';
import { listKeys, type NewAccount } from '../../shared/accounts/accounts.ts';
import { auditRules } from '../../shared/audit/actions.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { recordAct } from '../../shared/audit/record-act.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let user: string;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  user = await system.user(account.live_key);
});
beforeEach(() => system.clock.advance(1_000));

const list = async (token: string, query = '', served = system): Promise<AuditEntry[]> => {
  const response = await served.call('GET', `/v1/audit?limit=200${query}`, { token });
  expect(response.status).toBe(200);
  return response.body.data;
};

const named = contract
  .filter(({ callers }) => callers.includes(apiKey))
  .map((endpoint) => ({ name: endpoint.route.operationId, endpoint }));

async function callSample({ route }: Endpoint, change: Record<string, string> = {}) {
  const make = samples[route.operationId];
  if (!make) throw new Error(`${route.operationId} has no sample`);
  const sample = await make({ system, token: account.live_key, userId: user });
  const before = (await list(account.live_key)).length;
  await system.host.drain();
  system.calls.length = 0;
  const response = await system.call(
    route.method.toUpperCase(),
    pathOf(route.path, { ...sample.params, ...change }) + (sample.query ?? ''),
    {
      token: account.live_key,
      ...(sample.body === undefined ? {} : { body: sample.body }),
      ...(sample.headers ? { headers: sample.headers } : {}),
    },
  );
  const writeUnits = system.calls.reduce((sum, call) => sum + call.writeUnits, 0);
  const entries = await list(account.live_key);
  return { response, expected: sample.status, writeUnits, left: entries.slice(0, entries.length - before) };
}

describe.each(named.filter(({ endpoint }) => endpoint.audits))('$name', ({ endpoint }) => {
  const isSkipped = endpoint.audits && auditRules[endpoint.audits].skipsApiKeys;

  test(`leaves ${isSkipped ? 'no entry' : 'exactly one entry'} of an API key`, async () => {
    const [key] = (await listKeys(system.host.deps, account.account_id)).filter(({ env }) => env === 'live');
    const { response, expected, left } = await callSample(endpoint);
    expect(response.status).toBe(expected);
    if (isSkipped) return expect(left).toEqual([]);
    expect(left).toMatchObject([
      {
        actor: { kind: 'api_key', id: key?.id, email: null },
        action: endpoint.audits,
        environment: 'live',
        outcome: 'done',
        code: null,
        request_id: response.headers.get('x-request-id'),
      },
    ]);
    expect([left[0]?.user_id, ...(left[0]?.resource_ids ?? [])].filter(Boolean).length).toBeGreaterThan(0);
    expect(JSON.stringify(left)).not.toContain(account.live_key);
  });
});

describe.each(named.filter(({ endpoint }) => endpoint.route.method === 'get'))('$name', ({ endpoint }) => {
  test('with an API key leaves no entry and writes only what admission writes', async () => {
    const { writeUnits, left } = await callSample(endpoint);
    expect([writeUnits, left]).toEqual([1, []]);
  });
});

describe('the trail', () => {
  test('marks a failed act with its code', async () => {
    const missing = 'whk_01k9p3wh8j0m2p4r6t8w0y2a4c';
    await system.call('DELETE', `/v1/webhooks/${missing}`, { token: account.live_key });
    expect((await list(account.live_key))[0]).toMatchObject({
      action: 'webhook.deleted',
      resource_ids: [missing],
      outcome: 'failed',
      code: 'not_found',
    });
  });

  test('of another account or environment is not visible', async () => {
    const other = await system.account();
    expect((await list(account.live_key)).length).toBeGreaterThan(0);
    expect(await list(other.live_key)).toEqual([]);
    expect(await list(account.sandbox_key)).toEqual([]);
  });

  test('is filtered by actor, action, user and time, and paged newest first', async () => {
    const own = await system.account();
    const token = own.live_key;
    const users = [await system.user(token), await system.user(token)];
    const times: number[] = [];
    for (const id of users) {
      times.push(system.clock.now());
      system.clock.advance(1_000);
      await system.call('PATCH', `/v1/users/${id}/consolidation`, { token, body: {} });
      await system.call('DELETE', `/v1/users/${id}/consolidation`, { token });
      await system.call('DELETE', `/v1/users/${id}`, { token });
    }
    const all = await list(token);
    expect(all.map(({ action }) => action)).toEqual([
      ...['user.deleted', 'consolidation.reset', 'consolidation.updated'],
      ...['user.deleted', 'consolidation.reset', 'consolidation.updated'],
    ]);
    const [first = '', second = ''] = users;
    expect((await list(token, `&user_id=${first}`)).map(({ user_id }) => user_id)).toEqual([first, first, first]);
    expect((await list(token, '&action=user.deleted')).map(({ user_id }) => user_id)).toEqual([second, first]);
    expect(await list(token, `&actor=${all[0]?.actor.id}`)).toEqual(all);
    expect(await list(token, '&actor=api_key')).toEqual(all);
    expect(await list(token, '&actor=command_line')).toEqual([]);
    const between = new Date(times[1] ?? 0).toISOString();
    expect(await list(token, `&from=${between}`)).toEqual(all.slice(0, 3));
    expect(await list(token, `&to=${between}`)).toEqual(all.slice(3));

    const paged: AuditEntry[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await system.call('GET', `/v1/audit?limit=2${query}`, { token });
      paged.push(...body.data);
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
  });

  test.each([
    ['an unknown action', 'action=nothing'],
    ['a time without an offset', 'from=2026-03-14'],
    ['an id that is none', 'user_id=ada'],
    ['a start after its end', 'from=2026-03-15T00:00:00Z&to=2026-03-14T00:00:00Z'],
  ])('rejects %s', async (_what, query) => {
    const response = await system.call('GET', `/v1/audit?${query}`, { token: account.live_key });
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
  });

  test('lists an entry for 400 days, also if its row is deleted late, across months', async () => {
    const later = await timeTravelSystem();
    const { account_id } = await later.account();
    const { deps } = later.host;
    const act = {
      account: account_id,
      env: 'live',
      actor: { kind: 'command_line' },
      action: 'account.resumed',
    } as const;
    await recordAct(deps, { ...act, ids: [] }, async () => undefined);
    const listWithNewKey = async () => list(await later.form1Key(account_id), '', later);
    later.clock.advance(399 * 24 * 3_600_000);
    expect(await listWithNewKey()).toMatchObject([{ action: 'account.resumed', environment: null, network: null }]);
    later.clock.advance(25 * 3_600_000);
    expect(await listWithNewKey()).toEqual([]);
  });
});
