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
const awaited = {
  ...{ nonceHash: 'hash', verifier: 'sealed', redirectUrl: null, returnTo: null, expiresMs },
  ...noInitiator,
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
  providerAccount: null,
  grant: null,
  grantExpiresMs: null,
  scopes: null,
  connectedMs: null,
};
const held = { ...row, providerAccount: 'ann', grant: 'sealed' };

let table: Table;
let connections: ReturnType<typeof connectionRows>;
beforeEach(async () => {
  table = memoryTable();
  connections = connectionRows(storeOn(table));
  await make(connections.buildAwaitConsent(row));
});
const make = (...writes: Write[]) => table.transact(writes);
const standing = () => connections.find(row.user, row.device);
const linked = () => connections.listLinkedDevices('oura', 'live', 'ann');
const refused = async (...writes: Write[]) => {
  const before = [await standing(), await linked()];
  await expect(make(...writes)).rejects.toThrow(TransactionCanceled);
  expect([await standing(), await linked()]).toEqual(before);
};

test('a link is used once, before it expires, and only with its secret', async () => {
  await refused(connections.buildStartExchange(row, 'another hash', 0, untilMs));
  await refused(connections.buildStartExchange(row, 'hash', expiresMs, untilMs));
  await make(connections.buildStartExchange(row, 'hash', expiresMs - 1, untilMs));
  await refused(connections.buildStartExchange(row, 'hash', 0, untilMs));
  expect((await standing())?.status).toBe('exchanging');
});

test('a connection is activated once, and only after its link was used', async () => {
  await refused(...connections.buildActivate(held));
  await make(connections.buildStartExchange(row, 'hash', 0, untilMs));
  await make(...connections.buildActivate(held));
  expect([(await standing())?.status, await linked()]).toEqual(['active', [{ user: 'usr_a', device: 'dev_a' }]]);
  await refused(...connections.buildActivate(held));
});

test('a connection is ended only if unchanged since it was read, and its account link goes with it', async () => {
  await make(connections.buildStartExchange(row, 'hash', 0, untilMs));
  await refused(...connections.buildEnd(row));
  await make(...connections.buildActivate(held));
  await refused(...connections.buildEnd({ ...row, status: 'exchanging' }));
  await make(...connections.buildEnd({ ...held, status: 'active' }));
  expect([await standing(), await linked()]).toEqual([undefined, []]);
  await refused(...connections.buildEnd({ ...held, status: 'active' }));
  expect(await table.get(keys.connection(row.user, row.device))).toBeUndefined();
});
