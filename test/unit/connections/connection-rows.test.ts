// A write to a connection applies only if the connection is unchanged since it was read.
import { beforeEach, expect, test } from 'vitest';
import { type ConnectionRow, connectionRows } from '../../../shared/connections/connection-rows.ts';
import { type Table, TransactionCanceled, type Write } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { noInitiator } from '../../harness/browser.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const expiresMs = 900_000;
const untilMs = 60_000;
const pendingConsent = {
  ...{ nonceHash: 'hash', verifier: 'sealed', redirectUrl: null, returnTo: null, expiresMs },
  ...noInitiator,
  sharingEpoch: 0,
};
const row: ConnectionRow & { pendingConsent: typeof pendingConsent } = {
  user: 'usr_a',
  device: 'dev_a',
  account: 'acc_a',
  env: 'live',
  provider: 'oura',
  origin: 'https://day.example',
  status: 'pending',
  pendingConsent,
  providerAccount: null,
  grant: null,
  grantExpiresMs: null,
  scopes: null,
  connectedMs: null,
  historyDays: null,
};
const grantedRow = { ...row, providerAccount: 'ann', grant: 'sealed' };

let table: Table;
let connections: ReturnType<typeof connectionRows>;
beforeEach(async () => {
  table = memoryTable();
  connections = connectionRows(storeOn(table));
  await transact(connections.buildAwaitConsent(row));
});
const transact = (...writes: Write[]) => table.transact(writes);
const readConnection = () => connections.find(row.user, row.device);
const listLinked = () => connections.listLinkedDevices('oura', 'live', 'ann');
const expectRejected = async (...writes: Write[]) => {
  const before = [await readConnection(), await listLinked()];
  await expect(transact(...writes)).rejects.toThrow(TransactionCanceled);
  expect([await readConnection(), await listLinked()]).toEqual(before);
};

test('a link is used once, before it expires, and only with its secret', async () => {
  await expectRejected(connections.buildStartExchange(row, 'another hash', 0, untilMs));
  await expectRejected(connections.buildStartExchange(row, 'hash', expiresMs, untilMs));
  await transact(connections.buildStartExchange(row, 'hash', expiresMs - 1, untilMs));
  await expectRejected(connections.buildStartExchange(row, 'hash', 0, untilMs));
  expect((await readConnection())?.status).toBe('exchanging');
});

test('a connection is activated once, and only after its link was used', async () => {
  await expectRejected(...connections.buildActivate(grantedRow));
  await transact(connections.buildStartExchange(row, 'hash', 0, untilMs));
  await transact(...connections.buildActivate(grantedRow));
  expect([(await readConnection())?.status, await listLinked()]).toEqual([
    'active',
    [{ user: 'usr_a', device: 'dev_a' }],
  ]);
  await expectRejected(...connections.buildActivate(grantedRow));
});

test('a connection is ended only if unchanged since it was read, and its account link goes with it', async () => {
  await transact(connections.buildStartExchange(row, 'hash', 0, untilMs));
  await expectRejected(...connections.buildEnd(row));
  await transact(...connections.buildActivate(grantedRow));
  await expectRejected(...connections.buildEnd({ ...row, status: 'exchanging' }));
  await transact(...connections.buildEnd({ ...grantedRow, status: 'active' }));
  expect([await readConnection(), await listLinked()]).toEqual([undefined, []]);
  await expectRejected(...connections.buildEnd({ ...grantedRow, status: 'active' }));
  expect(await table.get(keys.connection(row.user, row.device))).toBeUndefined();
});
