import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { type AuditEntryRow, auditRetentionMs, auditRows, listMonths } from '../../../shared/audit/audit-rows.ts';
import type { Meter, Table } from '../../../shared/platform/ports.ts';
import { auditKeys } from '../../../shared/system/audit-keys.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';
import { freshId } from '../users/user-model.ts';

const atMs = Date.UTC(2026, 10, 30, 23, 59, 59);
const entryAt = (account: string, ms: number, change: Partial<AuditEntryRow> = {}): AuditEntryRow => ({
  account,
  id: makeId('auditEntry', ms, crypto.getRandomValues(new Uint8Array(10))),
  actor: { kind: 'colleague', id: 'clg_ada', email: 'ada@example.com' },
  action: 'webhook.deleted',
  env: 'live',
  user: null,
  resources: [],
  outcome: 'begun',
  code: null,
  network: null,
  requestId: null,
  ...change,
});

onEveryEngine('the audit trail', (kind) => {
  let localTable: LocalTable;
  let table: Table;
  let rows: ReturnType<typeof auditRows>;
  const calls: Parameters<Meter>[0][] = [];
  beforeAll(async () => {
    localTable = await startTable(kind, (call) => calls.push(call));
    table = localTable.table;
    rows = auditRows(storeOn(table));
  });
  afterAll(() => localTable.stop());

  const range = { firstId: 'aud_0', lastId: 'aud_~', limit: 100 };
  const readMonth = (account: string, month = '2026-11', env: 'live' | 'sandbox' = 'live') =>
    rows.readMonth({ account, env }, month, range);
  const writeUnits = async (work: () => Promise<unknown>): Promise<number> => {
    calls.length = 0;
    await work();
    return calls.reduce((sum, call) => sum + call.writeUnits, 0);
  };

  test('reads an entry back as it was written, in the month of its id, newest first', async () => {
    const account = freshId('account');
    const [older, newer, later] = [
      entryAt(account, atMs),
      entryAt(account, atMs + 500),
      entryAt(account, atMs + 1_000),
    ];
    for (const entry of [newer, later, older]) await rows.insert(entry);
    expect(await readMonth(account)).toEqual({ entries: [newer, older], more: false });
    expect(await readMonth(account, '2026-12')).toEqual({ entries: [later], more: false });
    const page = await rows.readMonth({ account, env: 'live' }, '2026-11', { ...range, limit: 1 });
    expect(page).toEqual({ entries: [newer], more: true });
  });

  test('keeps the environments apart, and lists what concerns the account in live', async () => {
    const account = freshId('account');
    const sandbox = entryAt(account, atMs, { env: 'sandbox' });
    const shared = entryAt(account, atMs, { env: null, action: 'key.replaced' });
    for (const entry of [sandbox, shared]) await rows.insert(entry);
    expect((await readMonth(account)).entries).toEqual([shared]);
    expect((await readMonth(account, '2026-11', 'sandbox')).entries).toEqual([sandbox]);
  });

  test('records an outcome once, with one write unit before and one after', async () => {
    const account = freshId('account');
    const entry = entryAt(account, atMs);
    expect(await writeUnits(() => rows.insert(entry))).toBe(1);
    const result = { outcome: 'done', code: null, user: null, resources: ['whk_x'] } as const;
    const applied: boolean[] = [];
    expect(
      await writeUnits(async () => applied.push(await rows.recordResult(entry, { ...result, resources: ['whk_x'] }))),
    ).toBe(1);
    applied.push(await rows.recordResult(entry, { outcome: 'failed', code: 'not_found', user: null, resources: [] }));
    expect(applied).toEqual([true, false]);
    expect((await readMonth(account)).entries).toEqual([{ ...entry, ...result }]);
  });

  test('has a time to live of 400 days', async () => {
    const account = freshId('account');
    const { key } = rows.buildInsert(entryAt(account, atMs));
    await table.write(rows.buildInsert({ ...entryAt(account, atMs), id: key.sk }));
    expect((await table.get(key))?.['ttl']).toBe(Math.ceil((atMs + auditRetentionMs) / 1000));
  });

  test('has one look per colleague, user and hour, also if two are written at once', async () => {
    const account = freshId('account');
    const [hour, user] = [Date.UTC(2026, 10, 15, 9), freshId('user')];
    const look = (ms: number, colleague = 'clg_ada', about = user, env: 'live' | 'sandbox' = 'live') =>
      rows.insertLook(entryAt(account, ms, { action: 'user.looked_at', outcome: 'done', user: about, env }), {
        colleague,
        user: about,
      });
    const raced = await Promise.all([look(hour), look(hour + 1), look(hour + 3_599_999)]);
    expect(raced.filter(Boolean)).toHaveLength(1);
    expect((await readMonth(account)).entries).toHaveLength(1);
    const marker = await table.get(auditKeys.auditLook(account, 'live', 'clg_ada', hour / 3_600_000, user));
    expect(marker?.['ttl']).toBe((hour + 2 * 3_600_000) / 1000);
    expect(await look(hour + 3_600_000)).toBe(true);
    expect(await look(hour, 'clg_bea')).toBe(true);
    expect(await look(hour, 'clg_ada', freshId('user'))).toBe(true);
    expect(await look(hour, 'clg_ada', user, 'sandbox')).toBe(true);
    expect((await readMonth(account)).entries).toHaveLength(4);
    // DynamoDB Local reports the writes of a transaction once, where DynamoDB counts them twice.
    expect(await writeUnits(() => look(hour, 'clg_eve'))).toBe(kind === 'dynamodb-local' ? 2 : 4);
  });
});

test('the months between two times are listed newest first', () => {
  expect(listMonths(Date.UTC(2025, 11, 31), Date.UTC(2026, 1, 1))).toEqual(['2026-02', '2026-01', '2025-12']);
  expect(listMonths(Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 28, 23))).toEqual(['2026-02']);
  expect(listMonths(Date.UTC(2026, 2, 1), Date.UTC(2026, 1, 1))).toEqual([]);
  expect(listMonths(0, Date.UTC(1970, 0, 31))).toEqual(['1970-01']);
  const nowMs = Date.UTC(2026, 2, 1);
  expect(listMonths(nowMs - auditRetentionMs, nowMs).length).toBeLessThanOrEqual(15);
});
