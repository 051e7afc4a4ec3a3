// Every row that owes work stands in the index of its kind from the write that makes the debt on, at its time, and leaves it with the debt.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import type { Write } from '../../../shared/engine/ports.ts';
import { makeId } from '../../../shared/model/ids.ts';
import { nothingAnnounced } from '../../../shared/store/announced.ts';
import { type AcceptedUpload, type BatchRow, batchRows } from '../../../shared/store/batches.ts';
import { packEvents } from '../../../shared/store/codec/event-page.ts';
import { type DeliveryRow, deliveryRows, type Settled } from '../../../shared/store/deliveries.ts';
import { deviceRows } from '../../../shared/store/devices.ts';
import { type DueKind, duePartitions } from '../../../shared/store/due.ts';
import { erasureRows } from '../../../shared/store/erasure.ts';
import { feedEndIn, feedRows } from '../../../shared/store/feed.ts';
import { keys } from '../../../shared/store/keys.ts';
import { outboxRows } from '../../../shared/store/outbox.ts';
import { rezoningRows } from '../../../shared/store/rezonings.ts';
import { scoreRunRows } from '../../../shared/store/score-runs.ts';
import { seedRows } from '../../../shared/store/seeds.ts';
import { newState, stateRows } from '../../../shared/store/states.ts';
import { openStore, type Store } from '../../../shared/store/store.ts';
import { type UserRow, userRows } from '../../../shared/store/users.ts';
import { testClock } from '../../harness/clock.ts';
import { deviceRow } from '../../harness/recorded.ts';
import { startTable } from './engines.ts';

const since = 1_773_000_000_000;
const later = since + 70_000;

let place: TablePlace;
let store: Store;
beforeAll(async () => {
  place = await startTable();
  store = openStore(place.table, testClock());
});
afterAll(() => place.stop());

const someId = (kind: 'user' | 'event' | 'webhook') => makeId(kind, since, crypto.getRandomValues(new Uint8Array(10)));
const commit = (...writes: Write[]) => store.commit(writes);

/** Since when this kind of work is owed to somebody, by the beginning of the rows that say so. */
async function owed(kind: DueKind, owner: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const due of duePartitions(kind)) {
    const values = { due };
    for await (const item of place.table.queryAll({ index: 'by-due', where: '#duePk = :due', values })) {
      const [at, ...whom] = String(item['dueSk']).split('#');
      if (whom.join('#') === owner) found[String(item['sk']).split('#')[0] ?? ''] = Number(at);
    }
  }
  return found;
}

const userRow = (id: string): UserRow => ({
  id,
  account: 'acc_1',
  env: 'live',
  reference: null,
  timezone: null,
  dayRule: 'profile',
  timezoneSource: 'caller',
  profile: {},
  status: 'active',
  createdMs: since,
  lastSyncMs: null,
  lastScoreMs: null,
  scoreGeneration: 6,
  revision: 0,
  work: 0,
  isCounted: true,
  sharingEpoch: 0,
  unshared: null,
});

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

const uploadOf = (user: string): AcceptedUpload => ({
  user,
  batch: 'bat_1',
  device: 'dev_1',
  receivedMs: since,
  source: 'sdk',
  format: 1,
  timeZone: null,
  scopes: [],
  records: 1,
  from: '',
  to: '',
  raw: Uint8Array.of(1),
});

test('an upload that was taken in, until it is worked in', async () => {
  const user = someId('user');
  await commit(batchRows(store).owing(uploadOf(user)));
  expect(await owed('ingest', user)).toEqual({ B: since });
  await commit(...batchRows(store).finishing(user, await batchRows(store).waiting(user, 1)));
  expect(await owed('ingest', user)).toEqual({});
});

test('an upload that was set aside is owed no longer, and again when it is to be tried again', async () => {
  const user = someId('user');
  await commit(batchRows(store).owing(uploadOf(user)));
  const [row] = await batchRows(store).waiting(user, 1);
  await commit(...batchRows(store).deadLettering(user, known<BatchRow>(row), since, 'it is too large'));
  expect(await owed('ingest', user)).toEqual({});
  const aside = (await batchRows(store).deadLetters()).find((each) => each.user === user);
  await commit(...batchRows(store).owingAgain(known(aside), later));
  expect(await owed('ingest', user)).toEqual({ B: later });
});

test('a device that is being removed, and its second look, until nothing is left of it', async () => {
  const user = someId('user');
  await commit(deviceRows(store).inserting(user, device));
  expect(await owed('ingest', user)).toEqual({});
  await commit(...deviceRows(store).removing(user, device, since));
  expect(await owed('ingest', user)).toEqual({ 'B!DEVICE': since });
  const leaving = { ...device, sk: keys.leavingDevice(user, device.id).sk };
  await commit(deviceRows(store).takenOut(user, leaving, later));
  expect(await owed('ingest', user)).toEqual({ 'B!DEVICE': later });
  await commit(...deviceRows(store).removed(user, leaving));
  expect(await owed('ingest', user)).toEqual({});
});

test('a changed zone, and its second look, until the days have followed', async () => {
  const user = someId('user');
  const asked = { sk: keys.rezoning(user).sk, asked: 'a', againMs: null, progress: null, announced: nothingAnnounced };
  await commit(rezoningRows(store).asking(user, 'a', since));
  expect(await owed('ingest', user)).toEqual({ 'B!REZONE': since });
  await rezoningRows(store).progress(user, asked, { work: 0, through: '2026-03-10', from: null, to: null });
  expect(await owed('ingest', user)).toEqual({ 'B!REZONE': since });
  await commit(rezoningRows(store).followed(user, asked, later));
  expect(await owed('ingest', user)).toEqual({ 'B!REZONE': later });
  await commit(rezoningRows(store).finishing(user, asked));
  expect(await owed('ingest', user)).toEqual({});
});

test('changed settings, the first and the next ones, until the days are built', async () => {
  const user = someId('user');
  await commit(stateRows(store).asking(user, newState, newState.settings, since));
  expect(await owed('consolidate', user)).toEqual({ '@STATE': since });
  await commit(stateRows(store).finishing(user, await stateRows(store).of(user), later));
  expect(await owed('consolidate', user)).toEqual({});
  await commit(stateRows(store).asking(user, await stateRows(store).of(user), newState.settings, later));
  expect(await owed('consolidate', user)).toEqual({ '@STATE': later });
});

test('days that want their scores, until they are answered', async () => {
  const user = someId('user');
  const ask = { from: '2026-03-10', to: '2026-03-11', asked: 'a' };
  await commit(scoreRunRows(store).asking(user, ask, since));
  expect(await owed('score', user)).toEqual({ A: since });
  await commit(scoreRunRows(store).answering(user, ask));
  expect(await owed('score', user)).toEqual({});
});

test('a sandbox user without data, then its next data, until there is nobody to feed', async () => {
  const user = someId('user');
  const seed = { zone: null, persona: 'average', devices: null, fedMs: null, pushedMs: {} } as const;
  const first = { ...seed, nextMs: since };
  const second = { ...seed, fedMs: since, nextMs: later };
  await commit(seedRows(store).inserting(user, first));
  expect([await owed('seed', user), await owed('sandbox', user)]).toEqual([{ SEED: since }, {}]);
  await seedRows(store).fed(user, first, second);
  expect([await owed('seed', user), await owed('sandbox', user)]).toEqual([{}, { SEED: later }]);
  await seedRows(store).end(user, second, { ...seed, nextMs: null });
  expect([await owed('seed', user), await owed('sandbox', user)]).toEqual([{}, {}]);
  await commit(seedRows(store).waking(user, later));
  expect([await owed('seed', user), await owed('sandbox', user)]).toEqual([{ SEED: later }, {}]);
});

test('what a commit announces, until it is numbered; and its page, until every endpoint is served', async () => {
  const id = someId('event');
  const feed = { account: 'acc_1', env: 'live' } as const;
  const event = { id, type: 'user.created', ...feed, userId: 'usr_1', atMs: since } as const;
  const owner = `acc_1#live#${id}`;
  await commit(outboxRows(store).appending('usr_1', event));
  expect(await owed('feed', owner)).toEqual({ OUT: since });
  const rows = [{ id, type: event.type, atMs: since }];
  const page = { events: rows, packed: packEvents(rows), isDue: true };
  await commit(
    ...feedRows(store).appending(feed, feedEndIn(undefined), page, later),
    outboxRows(store).removing(keys.outbox(id, 'usr_1')),
  );
  expect([await owed('feed', owner), await owed('fan-out', 'acc_1#live#1')]).toEqual([
    {},
    { [`${1}`.padStart(16, '0')]: later },
  ]);
  await feedRows(store).clear(feed, 1);
  expect(await owed('fan-out', 'acc_1#live#1')).toEqual({});
});

test('a deleted user, until its erasure is finished', async () => {
  const row = userRow(someId('user'));
  await commit(...userRows(store).inserting(row));
  expect(await owed('erase', row.id)).toEqual({});
  await commit(...userRows(store).deleting(row, since));
  expect(await owed('erase', row.id)).toEqual({ '@USER': since });
  await erasureRows(store).count(row.id, known(await erasureRows(store).owed(row.id)), [{ pk: 'p', sk: 'T#1' }]);
  expect(await owed('erase', row.id)).toEqual({ '@USER': since });
  await commit(erasureRows(store).finishing(row.id));
  expect(await owed('erase', row.id)).toEqual({});
});

test('a deleted webhook, until its deliveries are erased', async () => {
  const webhook = someId('webhook');
  await commit(deliveryRows(store).owingErasure(webhook, since));
  expect(await owed('erase', webhook)).toEqual({ GONE: since });
  await deliveryRows(store).erased(webhook);
  expect(await owed('erase', webhook)).toEqual({});
});

describe('a delivery', () => {
  const pending: Settled = { status: 'pending', tries: 1, attempts: [], due: { atMs: since, sweepMs: since } };
  const inserted = async (settled: Settled = pending) => {
    const row = deliveryRow();
    await store.table.write(deliveryRows(store).inserting(row, settled));
    return known(await deliveryRows(store).byId(row.webhook, row.id));
  };
  const settle = (row: DeliveryRow, settled: Settled) => store.table.write(deliveryRows(store).settling(row, settled));

  test('that arrived is owed to nobody', async () => {
    const row = await inserted({ status: 'delivered', tries: 1, attempts: [] });
    expect(await owed('deliver', row.id)).toEqual({});
  });

  test('until it is settled', async () => {
    const row = await inserted();
    expect(await owed('deliver', row.id)).toEqual({ DELIVERY: since });
    await settle(row, { status: 'delivered', tries: 2, attempts: [] });
    expect(await owed('deliver', row.id)).toEqual({});
  });

  test('that is to be tried again, at its next time', async () => {
    const row = await inserted();
    const again = { atMs: later, sweepMs: later + 1 };
    await settle(row, { status: 'pending', tries: 2, attempts: [], due: again });
    expect(await owed('deliver', row.id)).toEqual({ DELIVERY: later + 1 });
  });

  test('that is sent again after its end', async () => {
    const row = await inserted();
    await settle(row, { status: 'exhausted', tries: 13, attempts: [] });
    await deliveryRows(store).revive(known(await deliveryRows(store).byId(row.webhook, row.id)), later, later);
    expect(await owed('deliver', row.id)).toEqual({ DELIVERY: later });
  });
});

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is not there');
  return value;
}
