// What is written of a connection holds only for the connection as it was read.
import { beforeEach, expect, test } from 'vitest';
import { type ConnectionRow, connectionRows } from '../../../shared/connections/connection-rows.ts';
import { type Table, TransactionRefused, type Write } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { byNobody } from '../../harness/browser.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const expiresMs = 900_000;
const untilMs = 60_000;
const awaited = {
  ...{ nonceHash: 'hash', verifier: 'sealed', redirectUrl: null, returnTo: null, expiresMs },
  ...byNobody,
  sharingEpoch: 0,
};
const row: ConnectionRow & { awaited: typeof awaited } = {
  user: 'usr_a',
  device: 'dev_a',
  account: 'acc_a',
  env: 'live',
  provider: 'oura',
  origin: 'https://day.example',
  status: 'awaited',
  awaited,
  vendorAccount: null,
  grant: null,
  grantExpiresMs: null,
  scopes: null,
  connectedMs: null,
};
const held = { ...row, vendorAccount: 'ann', grant: 'sealed' };

let table: Table;
let connections: ReturnType<typeof connectionRows>;
beforeEach(async () => {
  table = memoryTable();
  connections = connectionRows(storeOn(table));
  await make(connections.awaiting(row));
});
const make = (...writes: Write[]) => table.transact(writes);
const standing = () => connections.of(row.user, row.device);
const linked = () => connections.linkedTo('oura', 'live', 'ann');
const refused = async (...writes: Write[]) => {
  const before = [await standing(), await linked()];
  await expect(make(...writes)).rejects.toThrow(TransactionRefused);
  expect([await standing(), await linked()]).toEqual(before);
};

test('a link is used up once, in time, and by whoever has its secret', async () => {
  await refused(connections.exchanging(row, 'another hash', 0, untilMs));
  await refused(connections.exchanging(row, 'hash', expiresMs, untilMs));
  await make(connections.exchanging(row, 'hash', expiresMs - 1, untilMs));
  await refused(connections.exchanging(row, 'hash', 0, untilMs));
  expect((await standing())?.status).toBe('exchanging');
});

test('a connection is held only by whoever used up its link', async () => {
  await refused(...connections.holding(held));
  await make(connections.exchanging(row, 'hash', 0, untilMs));
  await make(...connections.holding(held));
  expect([(await standing())?.status, await linked()]).toEqual(['active', [{ user: 'usr_a', device: 'dev_a' }]]);
  await refused(...connections.holding(held));
});

test('a connection is ended only as it was read, and what leads to it goes with it', async () => {
  await make(connections.exchanging(row, 'hash', 0, untilMs));
  await refused(...connections.ending(row));
  await make(...connections.holding(held));
  await refused(...connections.ending({ ...row, status: 'exchanging' }));
  await make(...connections.ending({ ...held, status: 'active' }));
  expect([await standing(), await linked()]).toEqual([undefined, []]);
  await refused(...connections.ending({ ...held, status: 'active' }));
  expect(await table.get(keys.connection(row.user, row.device))).toBeUndefined();
});
