// What becomes of a write when the line to a real engine fails before, during or after it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsTable } from '../../../shared/engine/aws/table.ts';
import { ConditionFailed, EngineUnavailable, type Table, TransactionRefused } from '../../../shared/engine/ports.ts';
import { testDynamoDb } from './clients.ts';
import { createTable, type Engine, tableEngines } from './engines.ts';
import { faultyLine, type LineFault } from './faulty-line.ts';

const everyFault: LineFault[] = ['cut before', 'cut after', 'stalled body', 'throttled'];
const timeoutMs = 1_500;

for (const kind of tableEngines) {
  const title = `a failing line to ${kind.name}${kind.missing === undefined ? '' : ` (${kind.missing})`}`;

  describe.skipIf(kind.missing !== undefined)(title, () => {
    let engine: Engine;
    let table: Table;
    beforeAll(async () => {
      engine = await kind.start();
      const client = testDynamoDb(engine.endpoint);
      await createTable(client, 'daybook');
      table = awsTable({ client, tableName: 'daybook' });
      // What follows has a second each: an engine's first write may take longer.
      await table.transact([{ kind: 'put', item: { pk: 'warm', sk: 'up' } }]);
    }, 60_000);
    afterAll(() => engine?.stop());

    async function over(...faults: LineFault[]) {
      const line = await faultyLine(engine.endpoint);
      line.faults.push(...faults);
      const client = testDynamoDb(line.endpoint, { timeoutMs });
      return { ...line, table: awsTable({ client, tableName: 'daybook', backoffMs: 1 }), faults: line.faults };
    }
    const held = (key: { pk: string; sk: string }) => table.get(key, { consistent: true });
    const counting = (key: { pk: string; sk: string }) =>
      ({ kind: 'update', key, update: 'ADD #count :one', values: { one: 1 } }) as const;

    test.each(everyFault)('a transaction that met with "%s" is applied once', async (fault) => {
      const key = { pk: randomUUID(), sk: 'counter' };
      await using line = await over(fault);
      await line.table.transact([counting(key)]);
      expect(await held(key)).toEqual({ ...key, count: 1 });
      expect(line.counts.asked).toBe(2);
    });

    test.each<[LineFault, number | undefined]>([
      ['cut before', undefined],
      ['throttled', undefined],
      ['cut after', 1],
      ['stalled body', 1],
    ])(
      'a transaction that only met with "%s" makes the engine unavailable, and leaves the count at %s',
      async (fault, count) => {
        const key = { pk: randomUUID(), sk: 'counter' };
        await using line = await over(fault, fault, fault, fault);
        await expect(line.table.transact([counting(key)])).rejects.toThrow(EngineUnavailable);
        expect((await held(key))?.['count']).toBe(count);
        expect(line.counts).toEqual({ asked: 4, carriedOut: count === undefined ? 0 : 4 });
      },
    );

    test.each<LineFault>(['cut after', 'stalled body'])(
      'a transaction with a condition, applied before "%s", is not taken for refused',
      async (fault) => {
        const item = { pk: randomUUID(), sk: 'new' };
        await using line = await over(fault);
        await line.table.transact([{ kind: 'put', item, condition: 'attribute_not_exists(#pk)' }]);
        await expect(
          line.table.transact([{ kind: 'put', item, condition: 'attribute_not_exists(#pk)' }]),
        ).rejects.toThrow(TransactionRefused);
      },
    );

    test('a conditional write that was cut after it was applied fails on its own first try, and says what is held', async () => {
      const item = { pk: randomUUID(), sk: 'new', by: 'me' };
      await using line = await over('cut after');
      const write = line.table.write({ kind: 'put', item, condition: 'attribute_not_exists(#pk)' });
      await expect(write).rejects.toThrow(ConditionFailed);
      await expect(write).rejects.toHaveProperty('item', item);
    });

    test.each(everyFault)('a write, a read and a batch that meet with "%s" succeed in the end', async (fault) => {
      const item = { pk: randomUUID(), sk: 'a', bytes: new Uint8Array([1, 2, 3]) };
      await using line = await over(fault);
      await line.table.write({ kind: 'put', item });
      line.faults.push(fault);
      expect(await line.table.get(item, { consistent: true })).toEqual(item);
      line.faults.push(fault);
      await line.table.batchWrite([{ kind: 'delete', key: item }]);
      expect(await held(item)).toBeUndefined();
      expect(line.counts.asked).toBe(6);
    });
  });
}
