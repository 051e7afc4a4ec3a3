// Reading the audit trail: its order, its pages, its filters, and how far back it goes.
import { beforeEach, describe, expect, test } from 'vitest';
import { type AuditEntryRow, auditRetentionMs, auditRows } from '../../../shared/audit/audit-rows.ts';
import { type AuditQuery, listAudit } from '../../../shared/audit/list-audit.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';

const dayMs = 24 * 3_600_000;
const nowMs = memoryStartMs;
const caller: Caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 };
const [ada, bea] = [makeId('user', 1, new Uint8Array(10)), makeId('user', 2, new Uint8Array(10))];
let world: MemoryDeps;

beforeEach(() => {
  world = memoryDeps();
  world.clock.freeze();
});

let serial = 0;
/** Ids of the same moment stay in the order in which they were made. */
async function addEntry(atMs: number, change: Partial<AuditEntryRow> = {}): Promise<string> {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(0, ++serial);
  const id = makeId('auditEntry', atMs, random);
  await auditRows(world.deps.store).insert({
    ...{ account: caller.account, id, actor: { kind: 'command_line' }, action: 'webhook.deleted', env: 'live' },
    ...{ user: null, resources: [], outcome: 'done', code: null, network: null, requestId: null },
    ...change,
  });
  return id;
}

async function list(query: Partial<AuditQuery> = {}) {
  const { entries, nextBeforeId } = await listAudit(world.deps, caller, { limit: 50, ...query });
  return { ids: entries.map(({ id }) => id), next: nextBeforeId };
}

/** Follows the pages to the end. */
async function listPages(query: Partial<AuditQuery>): Promise<string[][]> {
  const pages: string[][] = [];
  let beforeId: string | undefined;
  do {
    const { ids, next } = await list({ ...query, beforeId });
    pages.push(ids);
    beforeId = next;
  } while (beforeId !== undefined);
  return pages;
}

describe('a page', () => {
  test('has as many entries as the limit, newest first, over the ends of months and without a repeat', async () => {
    const ids: string[] = [];
    for (let days = 90; days > 0; days -= 15) ids.unshift(await addEntry(nowMs - days * dayMs));
    expect(await listPages({ limit: 4 })).toEqual([ids.slice(0, 4), ids.slice(4)]);
    expect(await listPages({ limit: 1 })).toEqual(ids.map((id) => [id]));
    for (const limit of [6, 7, 50]) expect(await listPages({ limit })).toEqual([ids]);
  });

  test('splits entries of the same moment, and none is lost', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift(await addEntry(nowMs - 1));
    expect(await listPages({ limit: 2 })).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test('with a filter ends where reading would cost too much, and the next one goes on there', async () => {
    const rare = await addEntry(nowMs - 3_000, { user: ada });
    for (let count = 0; count < 2_000; count++) await addEntry(nowMs - 2_000, { user: bea });
    const recent = await addEntry(nowMs - 1_000, { user: ada });
    const pages = await listPages({ userId: ada });
    expect([pages.length, pages.flat()]).toEqual([2, [recent, rare]]);
    expect(await listPages({ userId: ada, fromMs: nowMs - 1_500 })).toEqual([[recent]]);
  });
});

test('a filter costs few large reads, and not one per page of matches', async () => {
  for (let count = 0; count < 300; count++) await addEntry(nowMs - 2_000, { user: bea });
  const match = await addEntry(nowMs - 3_000, { user: ada });
  let reads = 0;
  const counting = world.withTable({
    ...world.table,
    query: (query) => {
      reads++;
      return world.table.query(query);
    },
  });
  const query = { limit: 1, userId: ada, fromMs: nowMs - 5_000 };
  expect((await listAudit(counting, caller, query)).entries.map(({ id }) => id)).toEqual([match]);
  expect(reads).toBe(1);
});

describe('the trail', () => {
  test('has an entry for exactly 400 days, although its row is still there', async () => {
    await addEntry(nowMs - auditRetentionMs - 1);
    const kept = await addEntry(nowMs - auditRetentionMs);
    expect((await list()).ids).toEqual([kept]);
    expect((await list({ fromMs: nowMs - 2 * auditRetentionMs })).ids).toEqual([kept]);
    expect(auditRetentionMs).toBe(400 * dayMs);
  });

  test('has the entries of a process whose clock is a little ahead', async () => {
    const ahead = await addEntry(nowMs + 30_000);
    expect((await list()).ids).toEqual([ahead]);
  });

  test('from a time on includes it, and up to a time excludes it', async () => {
    const [first, second, third] = [await addEntry(nowMs - 3), await addEntry(nowMs - 2), await addEntry(nowMs - 1)];
    expect((await list({ fromMs: nowMs - 2 })).ids).toEqual([third, second]);
    expect((await list({ toMs: nowMs - 2 })).ids).toEqual([first]);
    expect((await list({ fromMs: nowMs - 2, toMs: nowMs - 1 })).ids).toEqual([second]);
    for (const fromMs of [nowMs - 1, nowMs])
      await expect(list({ fromMs, toMs: nowMs - 1 })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('is empty from a time in the future on, and up to a time before it begins', async () => {
    await addEntry(nowMs - 1);
    expect(await list({ fromMs: nowMs + dayMs })).toEqual({ ids: [], next: undefined });
    expect(await list({ toMs: nowMs - 2 * auditRetentionMs })).toEqual({ ids: [], next: undefined });
    for (const toMs of [1, 0, -dayMs]) expect(await list({ toMs })).toEqual({ ids: [], next: undefined });
  });

  test('is filtered by the kind or the id of an actor, by action and by user, and by all of them', async () => {
    const actor = { kind: 'colleague', id: 'col_ada', email: 'ada@example.com' } as const;
    const byAda = await addEntry(nowMs - 4, { actor, user: ada });
    const byKey = await addEntry(nowMs - 3, { actor: { kind: 'api_key', id: 'key_1' }, user: ada });
    const tested = await addEntry(nowMs - 2, { actor, action: 'webhook.tested', user: bea });
    const byCommand = await addEntry(nowMs - 1);
    expect((await list({ actor: 'colleague' })).ids).toEqual([tested, byAda]);
    expect((await list({ actor: 'col_ada' })).ids).toEqual([tested, byAda]);
    expect((await list({ actor: 'key_1' })).ids).toEqual([byKey]);
    expect((await list({ actor: 'command_line' })).ids).toEqual([byCommand]);
    expect((await list({ actor: 'ada@example.com' })).ids).toEqual([]);
    expect((await list({ action: 'webhook.tested' })).ids).toEqual([tested]);
    expect((await list({ userId: ada })).ids).toEqual([byKey, byAda]);
    expect((await list({ userId: ada, actor: 'colleague', action: 'webhook.deleted' })).ids).toEqual([byAda]);
  });
});
