// Every row with pending work is in the index of its kind, from the write that creates the work
// until the work is done.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { erasureRows } from '../../../shared/erasure/erasure-rows.ts';
import { packEvents } from '../../../shared/events/event-page.ts';
import { feedRows, parseFeedEnd } from '../../../shared/events/feed-rows.ts';
import { outboxRows } from '../../../shared/events/outbox-rows.ts';
import { quarantinedUploadRows } from '../../../shared/pipeline/quarantined-upload-rows.ts';
import type { Write } from '../../../shared/platform/ports.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { keys } from '../../../shared/system/keys.ts';
import { listPendingPartitions, messageGraceMs, type PendingKind } from '../../../shared/system/pending-kinds.ts';
import { openStore, type Store } from '../../../shared/system/store.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { noPendingScores } from '../../../shared/users/pending-scores.ts';
import { seedRows } from '../../../shared/users/seed-rows.ts';
import { type UserRow, userRows } from '../../../shared/users/user-rows.ts';
import { type DeliveryOutcome, type DeliveryRow, deliveryRows } from '../../../shared/webhooks/delivery-rows.ts';
import { testClock } from '../../harness/clock.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { deviceRow } from '../../harness/stored-data.ts';
import { startTable } from '../system/engines.ts';
import { someUpload } from './sample-upload.ts';
import { newRow } from './user-model.ts';

const since = 1_773_000_000_000;
const later = since + 70_000;

let localTable: LocalTable;
let store: Store;
beforeAll(async () => {
  localTable = await startTable();
  store = openStore(localTable.table, testClock());
});
afterAll(() => localTable.stop());

const someId = (kind: 'user' | 'event' | 'webhook') => makeId(kind, since, crypto.getRandomValues(new Uint8Array(10)));
const commit = (...writes: Write[]) => store.commit(writes);

/**
 * Returns since when this kind of work is pending for an owner, by the sort-key prefix of the rows.
 */
async function findPendingSince(kind: PendingKind, owner: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const due of listPendingPartitions(kind)) {
    const values = { due };
    for await (const item of localTable.table.queryAll({ index: 'by-due', where: '#duePk = :due', values })) {
      const [at, ...whom] = String(item['dueSk']).split('#');
      if (whom.join('#') === owner) found[String(item['sk']).split('#')[0] ?? ''] = Number(at);
    }
  }
  return found;
}

const userRow = (id: string): UserRow => newRow('acc_1', { id });

const device = deviceRow({ connectedMs: since });

const deliveryRow = (): DeliveryRow => ({
  id: someId('event'),
  webhook: someId('webhook'),
  account: 'acc_1',
  env: 'live',
  eventId: 'evt_1',
  eventType: 'data.updated',
  body: '{}',
  status: 'pending',
  createdMs: since,
  attempts: [],
  tries: 0,
  dueMs: since,
});

const waiting = (user: string) => pendingCommands(localTable.table, user);

test('an accepted upload is pending until it is processed', async () => {
  const user = someId('user');
  await commit(commandRows(store).buildAppend(user, someUpload({ receivedMs: since })));
  expect(await findPendingSince('user', user)).toEqual({ '!UPLOAD': since });
  const [upload] = await waiting(user);
  await commandRows(store).recordFailure(user, known(upload));
  expect(await findPendingSince('user', user)).toEqual({ '!UPLOAD': since });
  await commit(commandRows(store).buildFinish(user, known(upload)));
  expect(await findPendingSince('user', user)).toEqual({});
});

test('a quarantined upload is not pending, and is pending again when it is released', async () => {
  const user = someId('user');
  await commit(commandRows(store).buildAppend(user, someUpload({ receivedMs: since })));
  const [upload] = await waiting(user);
  if (upload?.kind !== 'upload') throw new Error('no upload is pending');
  await commit(
    commandRows(store).buildFinish(user, upload),
    quarantinedUploadRows(store).buildQuarantine(
      { id: user, account: 'acc_1', env: 'live' },
      upload,
      since,
      'it is too large',
    ),
  );
  expect(await findPendingSince('user', user)).toEqual({});
  const quarantined = known((await quarantinedUploadRows(store).listAll()).find((each) => each.user === user));
  const again = { ...someUpload({ receivedMs: later }), id: quarantined.id };
  await commit(quarantinedUploadRows(store).buildRelease(quarantined), commandRows(store).buildAppend(user, again));
  expect(await findPendingSince('user', user)).toEqual({ '!UPLOAD': later });
});

test('a removed device is pending until its data is deleted', async () => {
  const user = someId('user');
  await commit(deviceRows(store).buildInsert(user, device));
  expect(await findPendingSince('user', user)).toEqual({});
  await commit(
    deviceRows(store).buildRemove(user, device),
    commandRows(store).buildRemoveDevice(user, 'cmd_1', device, since),
  );
  expect(await findPendingSince('user', user)).toEqual({ '!DEVICE': since });
  const [leaving] = await waiting(user);
  await commandRows(store).postpone(user, known(leaving), later);
  expect(await findPendingSince('user', user)).toEqual({ '!DEVICE': later });
  await commit(commandRows(store).buildFinish(user, known(leaving)), deviceRows(store).buildTombstone(user, device.id));
  expect(await findPendingSince('user', user)).toEqual({});
});

test.each(['recount', 'rebuild', 'rescore'] as const)(
  'days that a %s updates are pending until it is finished',
  async (kind) => {
    const user = someId('user');
    await commit(commandRows(store).buildRequest(user, kind, 'cmd_1', since));
    expect(await findPendingSince('user', user)).toEqual({ '!DO': since });
    const [read] = await waiting(user);
    if (read?.kind === 'recount' || read?.kind === 'rebuild')
      await commit(
        commandRows(store).buildSaveProgress(user, read, { atMs: later, through: '2026-03-10', from: null, to: null }),
      );
    expect(await findPendingSince('user', user)).toEqual({ '!DO': since });
    await commit(commandRows(store).buildRequest(user, kind, 'cmd_2', later));
    expect(await findPendingSince('user', user)).toEqual({ '!DO': later });
    const [again] = await waiting(user);
    await commit(commandRows(store).buildFinish(user, known(again)));
    expect(await findPendingSince('user', user)).toEqual({});
  },
);

test('days that wait for scores are pending at the time the sweep finds them due, until they are scored', async () => {
  const row = userRow(someId('user'));
  await commit(...userRows(store).buildInsert(row));
  const days = [{ from: '2026-03-10', to: '2026-03-11', dueMs: later, atOnce: false }];
  await commit(userRows(store).buildFinishPass(row, { ...row, scores: { ...noPendingScores, days } }));
  expect(await findPendingSince('user', row.id)).toEqual({ '@USER': later - messageGraceMs });
  const read = known(await userRows(store).findById(row.id));
  expect(read.scores.days).toEqual(days);
  await commit(userRows(store).buildFinishPass(read, { ...read, scores: noPendingScores }));
  expect(await findPendingSince('user', row.id)).toEqual({});
});

test('a sandbox user is pending without data, then for its next data, until it has no device to feed', async () => {
  const user = someId('user');
  const seed = {
    zone: null,
    persona: 'average',
    days: 7,
    lifeSeed: null,
    devices: null,
    history: null,
    fedMs: null,
    pushedMs: {},
  } as const;
  const first = { ...seed, nextMs: since };
  const second = { ...seed, fedMs: since, nextMs: later };
  await commit(seedRows(store).buildInsert(user, first));
  expect([await findPendingSince('seed', user), await findPendingSince('sandbox', user)]).toEqual([
    { SEED: since },
    {},
  ]);
  await seedRows(store).recordFeed(user, first, second);
  expect([await findPendingSince('seed', user), await findPendingSince('sandbox', user)]).toEqual([
    {},
    { SEED: later },
  ]);
  await seedRows(store).end(user, second, { ...seed, nextMs: null });
  expect([await findPendingSince('seed', user), await findPendingSince('sandbox', user)]).toEqual([{}, {}]);
  await commit(seedRows(store).buildWake(user, later));
  expect([await findPendingSince('seed', user), await findPendingSince('sandbox', user)]).toEqual([
    { SEED: later },
    {},
  ]);
});

test('an event of a commit is pending until it is numbered, and its page until it is delivered to every endpoint', async () => {
  const id = someId('event');
  const feed = { account: 'acc_1', env: 'live' } as const;
  const event = { id, type: 'user.created', ...feed, userId: 'usr_1', atMs: since } as const;
  const owner = `acc_1#live#${id}`;
  await commit(outboxRows(store).buildAppend('usr_1', event));
  expect(await findPendingSince('feed', owner)).toEqual({ OUT: since });
  const rows = [{ id, type: event.type, atMs: since }];
  const page = {
    events: rows,
    packed: packEvents(rows),
    isPending: true,
    counts: { uploads: 0, records: 0, deliveries: 0 },
  };
  await commit(
    ...feedRows(store).buildAppend(feed, parseFeedEnd(undefined), page, later),
    outboxRows(store).buildRemove(keys.outbox(id, 'usr_1')),
  );
  expect([await findPendingSince('feed', owner), await findPendingSince('deliver', 'acc_1#live#1')]).toEqual([
    {},
    { [`${1}`.padStart(16, '0')]: later + 60_000 },
  ]);
  await feedRows(store).clearPending(feed, 1);
  expect(await findPendingSince('deliver', 'acc_1#live#1')).toEqual({});
});

test('a deleted user is pending until its erasure is finished', async () => {
  const row = userRow(someId('user'));
  await commit(...userRows(store).buildInsert(row));
  expect(await findPendingSince('user', row.id)).toEqual({});
  await commit(...userRows(store).buildDelete(row, since));
  expect(await findPendingSince('user', row.id)).toEqual({ '@USER': since });
  await erasureRows(store).recordCounts(row.id, known(await erasureRows(store).findPending(row.id)), [
    { pk: 'p', sk: 'T#1' },
  ]);
  expect(await findPendingSince('user', row.id)).toEqual({ '@USER': since });
  await commit(erasureRows(store).buildFinish(row.id));
  expect(await findPendingSince('user', row.id)).toEqual({});
});

test('a deleted webhook is pending until its deliveries are erased', async () => {
  const webhook = someId('webhook');
  await commit(deliveryRows(store).buildRequestErasure(webhook, since));
  const toErase = async (byMs: number) =>
    (await deliveryRows(store).listDueErasures(byMs, 1_000)).filter((each) => each === webhook);
  expect([await toErase(since - 1), await toErase(since + 1)]).toEqual([[], [webhook]]);
  await deliveryRows(store).finishErasure(webhook);
  expect(await toErase(since + 1)).toEqual([]);
});

describe('a delivery', () => {
  const pending: DeliveryOutcome = { status: 'pending', tries: 1, attempts: [], due: { atMs: since, sweepMs: since } };
  const inserted = async (outcome: DeliveryOutcome = pending) => {
    const row = deliveryRow();
    await store.table.write(deliveryRows(store).buildInsert(row, outcome));
    return known(await deliveryRows(store).findById(row.webhook, row.id));
  };
  const settle = (row: DeliveryRow, outcome: DeliveryOutcome) =>
    store.table.write(deliveryRows(store).buildRecordOutcome(row, outcome));

  test('that was delivered is not pending', async () => {
    const row = await inserted({ status: 'delivered', tries: 1, attempts: [] });
    expect(await findPendingSince('deliver', row.id)).toEqual({});
  });

  test('is pending until it is done', async () => {
    const row = await inserted();
    expect(await findPendingSince('deliver', row.id)).toEqual({ DELIVERY: since });
    await settle(row, { status: 'delivered', tries: 2, attempts: [] });
    expect(await findPendingSince('deliver', row.id)).toEqual({});
  });

  test('that is to be retried is pending at its next time', async () => {
    const row = await inserted();
    const again = { atMs: later, sweepMs: later + 1 };
    await settle(row, { status: 'pending', tries: 2, attempts: [], due: again });
    expect(await findPendingSince('deliver', row.id)).toEqual({ DELIVERY: later + 1 });
  });

  test('that is sent again after its end is pending', async () => {
    const row = await inserted();
    await settle(row, { status: 'exhausted', tries: 13, attempts: [] });
    await deliveryRows(store).restart(known(await deliveryRows(store).findById(row.webhook, row.id)), later, later);
    expect(await findPendingSince('deliver', row.id)).toEqual({ DELIVERY: later });
  });
});

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the value is undefined');
  return value;
}
