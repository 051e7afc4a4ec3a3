// What happens to a write when the connection to a real engine fails before, during or after it.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { tableTimeoutMs } from '../../../shared/platform/aws/client-config.ts';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import { ConditionFailed, EngineUnavailable, type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { testDynamoDb } from './clients.ts';
import { createTable, type EngineTable } from './engines.ts';
import { type ProxyFault, startFaultyProxy } from './faulty-proxy.ts';

const everyFault: ProxyFault[] = ['cut before', 'cut after', 'stalled body', 'throttled'];

onEveryEngine('a failing connection', (kind) => {
  let engineTable: EngineTable;
  let table: Table;
  beforeAll(async () => {
    engineTable = await createTable(kind);
    table = awsTable(engineTable);
  });
  afterAll(() => engineTable.remove());
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());

  async function tableWithFaults(...faults: ProxyFault[]) {
    const proxy = await startFaultyProxy(engineTable.endpoint);
    proxy.faults.push(...faults);
    const client = testDynamoDb(proxy.endpoint);
    // A response that has stopped in the middle uses up the timeout of its call immediately.
    client.middlewareStack.add(
      (next) => async (args) => {
        const begun = await next(args);
        if (proxy.isStalled()) setImmediate(() => vi.advanceTimersByTime(tableTimeoutMs));
        return begun;
      },
      { step: 'deserialize', priority: 'low' },
    );
    return { ...proxy, table: awsTable({ ...engineTable, client, backoffMs: 1 }) };
  }
  const readItem = (key: { pk: string; sk: string }) => table.get(key, { consistent: true });
  const counting = (key: { pk: string; sk: string }) =>
    ({ kind: 'update', key, update: 'ADD #count :one', values: { one: 1 } }) as const;

  test.each(everyFault)('a transaction that meets "%s" is applied once', async (fault) => {
    const key = { pk: randomUUID(), sk: 'counter' };
    await using proxy = await tableWithFaults(fault);
    await proxy.table.transact([counting(key)]);
    expect(await readItem(key)).toEqual({ ...key, count: 1 });
    expect(proxy.counts.asked).toBe(2);
  });

  test.each<[ProxyFault, number | undefined]>([
    ['cut before', undefined],
    ['throttled', undefined],
    ['cut after', 1],
    ['stalled body', 1],
  ])(
    'a transaction that only meets "%s" ends with an unavailable engine, and leaves the count at %s',
    async (fault, count) => {
      const key = { pk: randomUUID(), sk: 'counter' };
      await using proxy = await tableWithFaults(fault, fault, fault, fault);
      await expect(proxy.table.transact([counting(key)])).rejects.toThrow(EngineUnavailable);
      expect((await readItem(key))?.['count']).toBe(count);
      expect(proxy.counts).toEqual({ asked: 4, carriedOut: count === undefined ? 0 : 4 });
    },
  );

  test.each<ProxyFault>(['cut after', 'stalled body'])(
    'a conditional transaction that was applied before "%s" is not reported as rejected',
    async (fault) => {
      const item = { pk: randomUUID(), sk: 'new' };
      await using proxy = await tableWithFaults(fault);
      await proxy.table.transact([{ kind: 'put', item, condition: 'attribute_not_exists(#pk)' }]);
      await expect(
        proxy.table.transact([{ kind: 'put', item, condition: 'attribute_not_exists(#pk)' }]),
      ).rejects.toThrow(TransactionCanceled);
    },
  );

  test('a conditional write that was cut after it was applied fails on its own first try, and returns the stored item', async () => {
    const item = { pk: randomUUID(), sk: 'new', by: 'me' };
    await using proxy = await tableWithFaults('cut after');
    const write = proxy.table.write({ kind: 'put', item, condition: 'attribute_not_exists(#pk)' });
    await expect(write).rejects.toThrow(ConditionFailed);
    await expect(write).rejects.toHaveProperty('item', item);
  });

  test.each(everyFault)('a write, a read and a batch that meet "%s" succeed in the end', async (fault) => {
    const item = { pk: randomUUID(), sk: 'a', bytes: new Uint8Array([1, 2, 3]) };
    await using proxy = await tableWithFaults(fault);
    await proxy.table.write({ kind: 'put', item });
    proxy.faults.push(fault);
    expect(await proxy.table.get(item, { consistent: true })).toEqual(item);
    proxy.faults.push(fault);
    await proxy.table.batchWrite([{ kind: 'delete', key: item }]);
    expect(await readItem(item)).toBeUndefined();
    expect(proxy.counts.asked).toBe(6);
  });
});
