// When an entry is written, and what stays of it when something fails.
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import { type Act, buildDoneEntry, recordAct } from '../../../shared/audit/record-act.ts';
import { EngineUnavailable, type Table } from '../../../shared/platform/ports.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { newId } from '../../../shared/system/new-id.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

function openWorld() {
  const world = memoryDeps();
  const account = newId(world.deps, 'account');
  const caller = { kind: 'api_key', account, env: 'live', form: 2 } as const;
  const act: Act = {
    account,
    env: 'live',
    actor: { kind: 'colleague', id: 'clg_x', email: 'ada@example.com' },
    action: 'webhook.deleted',
    ids: [newId(world.deps, 'webhook')],
    request: { network: '203.0.113.0/24', id: 'a-request' },
  };
  const list = async () => (await listAudit(world.deps, caller, { limit: 50 })).entries;
  return { ...world, act, list };
}

/** A table whose writes fail when the test says so. */
const failingTable = (table: Table, fails: () => boolean): Table => ({
  ...table,
  write: async (write) => {
    if (fails()) throw new EngineUnavailable('the table is unavailable');
    return table.write(write);
  },
});

describe('an act', () => {
  test('is `begun` while it runs and `done` afterwards, with what it created', async () => {
    const { deps, act, list } = openWorld();
    const user = newId(deps, 'user');
    const created = await recordAct(
      deps,
      act,
      async () => {
        expect(await list()).toMatchObject([{ outcome: 'begun', user_id: null, resource_ids: act.ids }]);
        return user;
      },
      (id) => [id],
    );
    expect(created).toBe(user);
    expect(await list()).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        at: expect.stringMatching(/^2026-03-10T12:00/),
        actor: { kind: 'colleague', id: 'clg_x', maker_id: null, email: 'ada@example.com' },
        action: 'webhook.deleted',
        environment: 'live',
        user_id: user,
        resource_ids: act.ids,
        outcome: 'done',
        code: null,
        network: '203.0.113.0/24',
        request_id: 'a-request',
      },
    ]);
  });

  test.each([
    [new Failure('not_found', 'Missing.'), 'not_found'],
    [new EngineUnavailable('gone'), 'unavailable'],
    [new Error('a bug'), 'internal_error'],
  ])('that throws %s is `failed` with its code, and the error goes on', async (error, code) => {
    const { deps, act, list } = openWorld();
    await expect(recordAct(deps, act, () => Promise.reject(error))).rejects.toBe(error);
    expect(await list()).toMatchObject([{ outcome: 'failed', code, resource_ids: act.ids }]);
  });

  test('whose process dies in between stays `begun`', async () => {
    const { deps, act, list } = openWorld();
    void recordAct(deps, act, () => new Promise(() => {}));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await list()).toMatchObject([{ outcome: 'begun', code: null }]);
  });

  test('does not begin if its entry cannot be written', async () => {
    const { act, table, withTable, list } = openWorld();
    let hasRun = false;
    const work = async () => {
      hasRun = true;
    };
    await expect(recordAct(withTable(failingTable(table, () => true)), act, work)).rejects.toThrow(EngineUnavailable);
    expect([hasRun, await list()]).toEqual([false, []]);
  });

  test('that is over returns its result even if the outcome cannot be written, and stays `begun`', async () => {
    const { act, table, withTable, list, log } = openWorld();
    let isOver = false;
    const result = await recordAct(withTable(failingTable(table, () => isOver)), act, async () => {
      isOver = true;
      return 'done';
    });
    expect(result).toBe('done');
    expect(await list()).toMatchObject([{ outcome: 'begun' }]);
    expect(log.filter(({ message }) => message === 'audit_outcome_not_recorded')).toMatchObject([
      { level: 'warn', fields: { request_id: 'a-request', status: 'done' } },
    ]);
  });

  test('in its own transaction is done if the transaction is', async () => {
    const { deps, act, list } = openWorld();
    await deps.store.commit([buildDoneEntry(deps, act)]);
    expect(await list()).toMatchObject([{ outcome: 'done', action: 'webhook.deleted' }]);
    const failing = { kind: 'check', key: { pk: 'x', sk: 'x' }, condition: 'attribute_exists(#pk)' } as const;
    await expect(deps.store.commit([buildDoneEntry(deps, act), failing])).rejects.toThrow();
    expect(await list()).toHaveLength(1);
  });

  test('on the account as a whole has no environment, and the trail of live lists it', async () => {
    const { deps, act, list } = openWorld();
    await recordAct(deps, { ...act, env: 'sandbox', action: 'colleague.removed' }, async () => undefined);
    await recordAct(deps, { ...act, env: 'sandbox' }, async () => undefined);
    expect(await list()).toMatchObject([{ action: 'colleague.removed', environment: null }]);
  });

  test('stores ids and no other text', async () => {
    const { deps, act, list, table } = openWorld();
    const session = '0b9f4a52-3f6e-4e0b-8f43-5c2a9d1e7b60';
    const ids = ['Ada Nowak', 'ada@example.org', 'member-4711', undefined, session, session];
    await recordAct(deps, { ...act, ids }, async () => undefined);
    expect(await list()).toMatchObject([{ user_id: null, resource_ids: [session] }]);
    expect(JSON.stringify(table.rows())).not.toMatch(/Nowak|example\.org|4711/);
  });
});
