import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { type ConnectionRow, connectionRows } from '../../../shared/connections/connection-rows.ts';
import { revocationRows } from '../../../shared/connections/revocation-rows.ts';
import { subscriptionRows } from '../../../shared/connections/subscription-rows.ts';
import { type Notification, SyncPlan } from '../../../shared/connections/sync-plan.ts';
import { maxNotifications, type SyncCommit, syncRows } from '../../../shared/connections/sync-rows.ts';
import { writeConditionally } from '../../../shared/platform/conditional-write.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { keys } from '../../../shared/system/keys.ts';
import { getPendingKindSpec } from '../../../shared/system/pending-kinds.ts';
import { pendingWorkRows } from '../../../shared/system/pending-work-rows.ts';
import { openStore, type Store } from '../../../shared/system/store.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { deviceRow } from '../../harness/stored-data.ts';
import { startTable } from '../system/engines.ts';

const nowMs = 1_773_144_000_000;
const initialProgress = { state: 'current', from: '2026-03-01', to: '2026-03-10', doneDays: 10 } as const;
const renewed = { grant: 'renewed', grantExpiresMs: 1, scopes: [] };

onEveryEngine('sync rows', (kind) => {
  let localTable: LocalTable;
  let store: Store;
  beforeAll(async () => {
    localTable = await startTable(kind);
    store = openStore(localTable.table, { now: () => nowMs });
  });
  afterAll(() => localTable.stop());

  async function activateConnection(): Promise<ConnectionRow & { providerAccount: string }> {
    const row = {
      user: makeId('user', nowMs, randomBytes(10)),
      device: makeId('device', nowMs, randomBytes(10)),
      account: makeId('account', nowMs, randomBytes(10)),
      env: 'live' as const,
      provider: 'oura' as const,
      origin: 'https://day.example',
      status: 'exchanging' as const,
      pendingConsent: null,
      providerAccount: 'ann',
      grant: 'sealed',
      grantExpiresMs: null,
      scopes: null,
      connectedMs: nowMs,
      historyDays: null,
    };
    const pending = deviceRow({ id: row.device, status: 'pending' });
    await localTable.table.write({ kind: 'put', item: { ...keys.connection(row.user, row.device), ...row } });
    await store.commit([deviceRows(store).buildInsert(row.user, pending)]);
    await store.commit([
      ...connectionRows(store).buildActivate(row),
      deviceRows(store).buildConnect(row.user, pending, 0, nowMs),
    ]);
    return row;
  }

  async function read({ user, device }: ConnectionRow) {
    const found = await syncRows(store).read(user, device);
    if (!found) throw new Error('The connection is missing.');
    return found;
  }
  const commit = async ({ user, device }: ConnectionRow, commit: Omit<SyncCommit, 'progress'>): Promise<boolean> => {
    const write = syncRows(store).buildCommit(user, device, { progress: initialProgress, ...commit });
    return (await writeConditionally(localTable.table, write)).applied;
  };
  const listPendingJobs = async (atMs: number) => {
    const { pending: pendingRows } = await pendingWorkRows(store).listBefore('sync', atMs, { limit: 1000 });
    return getPendingKindSpec('sync').jobs(pendingRows);
  };
  const object: Notification = { what: 'object', resource: 'sleep', id: 'a' };

  test('a plan is committed only by the run that read the latest one, with the progress that callers see', async () => {
    const row = await activateConnection();
    const { plan } = await read(row);
    expect(plan).toEqual(SyncPlan.parse({}));
    expect(await commit(row, { plan: { ...plan, pollMs: 5 }, syncedMs: nowMs })).toBe(true);
    expect(await commit(row, { plan: { ...plan, pollMs: 6 } })).toBe(false);
    const first = await read(row);
    expect(first).toMatchObject({
      plan: { fence: 1, pollMs: 5 },
      device: { sync: initialProgress, lastSyncMs: nowMs },
    });
    expect(await commit(row, { plan: { ...first.plan, history: null, stride: 3 } })).toBe(true);
    expect(await commit(row, { plan: first.plan })).toBe(false);
    expect((await read(row)).plan).toEqual({ ...first.plan, fence: 2, history: null, stride: 3 });
  });

  test('a disconnected device has no plan and is not due', async () => {
    const row = await activateConnection();
    const { plan } = await read(row);
    const job = { user_id: row.user, device_id: row.device };
    expect(await listPendingJobs(nowMs + 1)).toContainEqual(job);
    await store.commit([deviceRows(store).buildDisconnect(row.user, row.device, 'consent_ended')]);
    expect(await commit(row, { plan })).toBe(false);
    expect(await listPendingJobs(nowMs + 1)).not.toContainEqual(job);
  });

  test('a connection is found by index when it is due', async () => {
    const row = await activateConnection();
    const job = { user_id: row.user, device_id: row.device };
    expect(await commit(row, { plan: (await read(row)).plan, nextMs: nowMs + 60_000 })).toBe(true);
    expect(await listPendingJobs(nowMs + 59_999)).not.toContainEqual(job);
    expect(await listPendingJobs(nowMs + 60_001)).toContainEqual(job);
    // A commit in between leaves it due.
    expect(await commit(row, { plan: (await read(row)).plan })).toBe(true);
    expect(await listPendingJobs(nowMs + 60_001)).toContainEqual(job);
  });

  test('refreshed tokens replace only the tokens they were refreshed from', async () => {
    const row = await activateConnection();
    expect(await syncRows(store).renewGrant(row, 'others', renewed)).toBe(false);
    expect(await syncRows(store).renewGrant(row, 'sealed', renewed)).toBe(true);
    expect(await syncRows(store).renewGrant(row, 'sealed', { ...renewed, grant: 'late' })).toBe(false);
    expect((await read(row)).connection).toMatchObject(renewed);
  });

  test('notifications stay in order and make the connection due, and draining removes only those that were read', async () => {
    const row = await activateConnection();
    await commit(row, { plan: (await read(row)).plan, nextMs: nowMs + 60_000 });
    const job = { user_id: row.user, device_id: row.device };
    expect(await syncRows(store).record(row, [object], nowMs)).toBe(true);
    expect(await syncRows(store).record(row, [{ what: 'ended' }], nowMs)).toBe(true);
    expect(await listPendingJobs(nowMs + 1)).toContainEqual(job);
    const before = (await read(row)).connection;
    expect(before.inbox).toEqual([object, { what: 'ended' }]);
    await syncRows(store).drain(before, 1);
    expect((await read(row)).connection.inbox).toEqual([{ what: 'ended' }]);
    // A notification that the reader has not seen.
    const known = (await read(row)).connection;
    expect(await syncRows(store).record(row, [object], nowMs)).toBe(true);
    await syncRows(store).drain(known, 1);
    expect((await read(row)).connection.inbox).toEqual([object]);
    expect(await listPendingJobs(nowMs + 1)).toContainEqual(job);
    // A repeated drain, after the response to the first one was lost.
    await syncRows(store).drain(known, 1);
    expect((await read(row)).connection.inbox).toEqual([object]);
    await syncRows(store).drain((await read(row)).connection, 1);
    expect((await read(row)).connection.inbox).toEqual([]);
    expect(await listPendingJobs(nowMs + 1)).not.toContainEqual(job);
  });

  test('notifications beyond the inbox limit are rejected and collapsed into one, which no earlier reader drains', async () => {
    const row = await activateConnection();
    const record = (count: number) =>
      syncRows(store).record(
        row,
        Array.from({ length: count }, () => object),
        nowMs,
      );
    expect(await record(maxNotifications - 1)).toBe(true);
    expect(await record(2)).toBe('full');
    expect(await record(1)).toBe(true);
    expect(await record(1)).toBe('full');
    expect(await record(maxNotifications + 1)).toBe('full');
    const before = (await read(row)).connection;
    await syncRows(store).collapse(row, [{ what: 'days', from: '2026-03-01', to: '2026-03-02' }], nowMs);
    await syncRows(store).drain(before, maxNotifications);
    expect((await read(row)).connection).toMatchObject({
      notificationCount: maxNotifications + 1,
      inbox: [{ what: 'days' }],
    });
    const unknownDevice = { user: row.user, device: makeId('device', nowMs, randomBytes(10)) };
    expect(await syncRows(store).record(unknownDevice, [object], nowMs)).toBe(false);
    expect(await syncRows(store).collapse(unknownDevice, [object], nowMs)).toBe(false);
    expect(await localTable.table.get(keys.connection(unknownDevice.user, unknownDevice.device))).toBeUndefined();
  });

  test('an unread notification prevents a pause, and a paused connection accepts none and is not due', async () => {
    const row = await activateConnection();
    const job = { user_id: row.user, device_id: row.device };
    const early = (await read(row)).connection;
    await syncRows(store).record(row, [object], nowMs);
    expect(await syncRows(store).pause(early, nowMs)).toBe(false);
    expect(await syncRows(store).pause((await read(row)).connection, nowMs)).toBe(true);
    expect(await syncRows(store).record(row, [object], nowMs)).toBe(false);
    expect(await listPendingJobs(nowMs + 1)).not.toContainEqual(job);
    await store.commit([syncRows(store).buildResume(row, [{ what: 'ended' }], nowMs)]);
    expect((await read(row)).connection).toMatchObject({ inbox: [object, { what: 'ended' }] });
    expect((await read(row)).connection.pausedMs).toBeUndefined();
    expect(await listPendingJobs(nowMs + 1)).toContainEqual(job);
  });

  test('a connection that has ended is not written again by a run that read it before', async () => {
    const row = await activateConnection();
    const { connection } = await read(row);
    await store.commit(connectionRows(store).buildEnd(connection));
    expect(await syncRows(store).deferInbox(connection, nowMs + 60_000)).toBe(false);
    expect(await syncRows(store).pause(connection, nowMs)).toBe(false);
    expect(await localTable.table.get(keys.connection(row.user, row.device))).toBeUndefined();
  });

  test('a connection ends when its revocation starts, and the revocation is due and accepts late tokens', async () => {
    const row = await activateConnection();
    const { connection } = await read(row);
    const {
      buildReplaceConnection: replacing,
      reschedule: later,
      renewGrant: renew,
      remove: end,
      find,
    } = revocationRows(store);
    await expect(store.commit(replacing({ ...connection, grant: 'others' }, nowMs + 5))).rejects.toThrow();
    await store.commit(replacing(connection, nowMs + 5));
    const { user, device } = row;
    expect(await connectionRows(store).listLinkedDevices('oura', 'live', 'ann')).not.toContainEqual({ user, device });
    expect(await syncRows(store).read(user, device)).toBeUndefined();
    expect(await syncRows(store).record(row, [object], nowMs)).toBe(false);
    expect(await syncRows(store).renewGrant(row, 'sealed', renewed)).toBe(false);
    await expect(store.commit(replacing(connection, nowMs + 6))).rejects.toThrow();
    const job = { user_id: user, device_id: device, revoke: true };
    expect(await listPendingJobs(nowMs + 10)).toContainEqual(job);
    expect([await renew(row, 'others', renewed), await renew(row, 'sealed', renewed)]).toEqual([false, true]);
    expect(await find(user, device)).toMatchObject({ grant: 'renewed', endedMs: nowMs + 5, nextMs: nowMs + 5 });
    await later(row, { failures: 1, turn: 'late' }, nowMs + 60_000);
    expect(await find(user, device)).toMatchObject({ failures: 1, nextMs: nowMs + 60_000 });
    expect(await listPendingJobs(nowMs + 59_999)).not.toContainEqual(job);
    await end(row);
    await later(row, { failures: 2, turn: 'late' }, nowMs);
    expect(await find(user, device)).toBeUndefined();
  });

  test('a subscription is opened once, rescheduled once per run, and due again at its time', async () => {
    const { open, reschedule, find } = subscriptionRows(store);
    expect(await open('polar', 'live', 'https://day.example', nowMs)).toBe(true);
    expect(await open('polar', 'live', 'https://other.example', nowMs)).toBe(false);
    const subscription = await find('polar', 'live');
    expect(subscription).toMatchObject({ origin: 'https://day.example', renewMs: nowMs });
    if (!subscription) throw new Error('The subscription is missing.');
    const change = { ids: { a: '1' }, secret: 'sealed', failures: 0 };
    expect(await reschedule('live', 'polar', subscription, change, nowMs + 500)).toBe(true);
    expect(await reschedule('live', 'polar', subscription, { ids: {}, failures: 1 }, nowMs)).toBe(false);
    expect(await find('polar', 'live')).toMatchObject({ ids: { a: '1' }, secret: 'sealed', renewMs: nowMs + 500 });
    expect(await listPendingJobs(nowMs + 499)).not.toContainEqual({ provider: 'polar', env: 'live' });
    expect(await listPendingJobs(nowMs + 501)).toContainEqual({ provider: 'polar', env: 'live' });
  });
});
