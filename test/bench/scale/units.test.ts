import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { startTable } from '../../unit/system/engines.ts';
import { chargedTable } from './charged-table.ts';
import { virtualTime } from './virtual-time.ts';

const meteredUnits = { write: 0, read: 0 };
let localTable: LocalTable;
beforeAll(async () => {
  localTable = await startTable(undefined, ({ readUnits, writeUnits }) => {
    meteredUnits.write += writeUnits;
    meteredUnits.read += readUnits;
  });
});
afterAll(() => localTable.stop());

const key = (sk: string) => ({ pk: 'one', sk });
const text = (length: number) => 'x'.repeat(length);
const due = (since: string) => ({ duePk: 'DUE#a#1', dueSk: since });

const steps: Record<string, (table: Table) => Promise<unknown>> = {
  'a small put': (table) => table.write({ kind: 'put', item: { ...key('a'), n: 12 } }),
  'a put of three kilobytes': (table) => table.write({ kind: 'put', item: { ...key('b'), text: text(2_500) } }),
  'a smaller put over it': (table) => table.write({ kind: 'put', item: { ...key('b'), text: text(10) } }),
  'a put with an index entry': (table) => table.write({ kind: 'put', item: { ...key('c'), ...due('1') } }),
  'an update that leaves the index unchanged': (table) =>
    table.write({ kind: 'update', key: key('c'), update: 'SET #n = :n', values: { n: 5 } }),
  'an update that moves the entry': (table) =>
    table.write({ kind: 'update', key: key('c'), update: 'SET #dueSk = :to', values: { to: '2' } }),
  'a delete with an index entry': (table) => table.write({ kind: 'delete', key: key('c') }),
  'a delete of nothing': (table) => table.write({ kind: 'delete', key: key('never') }),
  'a transaction of a put, an index entry and a check': (table) =>
    table.transact([
      { kind: 'put', item: { ...key('d'), text: text(1_500) } },
      { kind: 'put', item: { ...key('e'), ...due('3') } },
      { kind: 'check', key: key('a'), condition: 'attribute_exists(#pk)' },
    ]),
  'a batch': (table) =>
    table.batchWrite([
      { kind: 'put', item: { ...key('f'), text: text(5_000) } },
      { kind: 'delete', key: key('a') },
    ]),
  'a get': (table) => table.get(key('f')),
  'a consistent get': (table) => table.get(key('f'), { consistent: true }),
  'a get of nothing': (table) => table.get(key('never')),
  'several gets': (table) => table.batchGet([key('b'), key('f'), key('never')]),
  'a query': (table) => table.query({ where: '#pk = :pk', values: { pk: 'one' } }),
  'a query of a few attributes': (table) => table.query({ where: '#pk = :pk', values: { pk: 'one' }, only: ['sk'] }),
  'a consistent query of nothing': (table) =>
    table.query({ where: '#pk = :pk', values: { pk: 'nobody' }, consistent: true }),
  'a query of an index': (table) =>
    table.query({ index: 'by-due', where: '#duePk = :due', values: { due: 'DUE#a#1' } }),
};

test('a call is charged the units that the engine reports', async () => {
  const charged = { write: 0, read: 0 };
  const time = virtualTime(0);
  const table = chargedTable(memoryTable(), {
    time,
    charge: (parts) => {
      for (const { write, read } of parts) {
        charged.write += write;
        charged.read += read;
      }
    },
    stream: () => {},
    latency: () => ({ read: 1, write: 1, transaction: 1 }),
  });
  const expected = new Map<string, object>();
  const chargedByCall = new Map<string, object>();
  for (const [name, step] of Object.entries(steps)) {
    for (const sums of [meteredUnits, charged]) Object.assign(sums, { write: 0, read: 0 });
    await step(localTable.table);
    await Promise.all([time.track(step(table)), time.run()]);
    expected.set(name, { ...meteredUnits });
    chargedByCall.set(name, { ...charged });
  }
  expect(expected.get('a transaction of a put, an index entry and a check')).toEqual({ write: 9, read: 0 });
  expect(chargedByCall).toEqual(expected);
});
