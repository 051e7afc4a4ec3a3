import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import {
  ConditionFailed,
  type Item,
  type Meter,
  type Table,
  TransactionCanceled,
} from '../../../shared/platform/ports.ts';
import { wrapCalls } from '../../harness/engine-clients.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { testDynamoDb } from './clients.ts';
import { createTable, type EngineTable } from './engines.ts';

async function captureError(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => {
      throw new Error('the write was not rejected');
    },
    (error: unknown) => error,
  );
}

async function collect(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

onEveryEngine('the table', (kind) => {
  let engineTable: EngineTable;
  let table: Table;
  let createMeteredTable: (meter: Meter) => Table;
  beforeAll(async () => {
    engineTable = await createTable(kind);
    table = awsTable(engineTable);
    createMeteredTable = (meter) => awsTable({ ...engineTable, meter });
  });
  afterAll(() => engineTable.remove());

  const insertDays = async (count: number, extra: Item = {}) => {
    const pk = `U#${randomUUID()}`;
    const items = Array.from({ length: count }, (_, day) => ({
      ...extra,
      pk,
      sk: `D#${String(day).padStart(4, '0')}`,
      day,
    }));
    await table.batchWrite(items.map((item) => ({ kind: 'put', item })));
    return { pk, items };
  };

  test('an item is read back as it was written', async () => {
    const item = {
      pk: randomUUID(),
      sk: 'é/1',
      text: '',
      number: -1.5e-7,
      yes: true,
      nothing: null,
      bytes: new Uint8Array([0, 255, 128]),
      part: new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 3),
      many: new Uint8Array(randomBytes(70_000)),
      list: [1, ['two', null], {}],
      map: { deep: { er: [new Uint8Array(), false] }, odd: JSON.parse('{"__proto__":"kept"}') },
    };
    expect(await table.write({ kind: 'put', item })).toBeUndefined();
    expect(await table.get(item, { consistent: true })).toStrictEqual(item);
  });

  test('a missing item is undefined', async () => {
    expect(await table.get({ pk: 'nobody', sk: 'nothing' })).toBeUndefined();
  });

  test('an update returns the new item, and a put or a delete returns the old one', async () => {
    const key = { pk: randomUUID(), sk: 'a' };
    const update = 'SET #name = :name ADD #count :one';
    const values = { name: 'x', one: 1, unused: 'not sent' };
    expect(await table.write({ kind: 'update', key, update, values })).toEqual({ ...key, name: 'x', count: 1 });
    expect(await table.write({ kind: 'put', item: { ...key, size: 2 } })).toEqual({ ...key, name: 'x', count: 1 });
    expect(await table.write({ kind: 'delete', key })).toEqual({ ...key, size: 2 });
    expect(await table.write({ kind: 'delete', key })).toBeUndefined();
  });

  test('a failed condition returns the stored item', async () => {
    const key = { pk: randomUUID(), sk: 'a' };
    const stored = { ...key, status: 'revoked' };
    await table.write({ kind: 'put', item: stored });
    const condition = '#status = :status';
    const values = { status: 'active' };
    const update = { kind: 'update', key, update: 'SET #status = :status', condition, values } as const;
    for (const write of [
      update,
      { kind: 'put', item: key, condition, values },
      { kind: 'delete', key, condition, values },
    ] as const) {
      const error = await captureError(table.write(write));
      expect(error).toBeInstanceOf(ConditionFailed);
      expect(error).toHaveProperty('item', stored);
    }
    expect(await table.get(key)).toEqual(stored);
  });

  test('a failed condition on a missing item returns no item', async () => {
    const key = { pk: randomUUID(), sk: 'a' };
    const error = await captureError(table.write({ kind: 'delete', key, condition: 'attribute_exists(#pk)' }));
    expect(error).toBeInstanceOf(ConditionFailed);
    expect(error).toHaveProperty('item', undefined);
  });

  test('the error for a missing expression value names that value', async () => {
    const write = table.write({
      kind: 'update',
      key: { pk: 'a', sk: 'b' },
      update: 'SET #a = :toString',
      values: {},
    });
    await expect(write).rejects.toThrow(/values.toString is missing/);
  });

  test('a query pages through a partition in order', async () => {
    const { pk, items } = await insertDays(7);
    const query = {
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk, prefix: 'D#' },
      consistent: true,
    };
    expect(await table.query(query)).toEqual({ items });
    const first = await table.query({ ...query, limit: 3 });
    expect(first.items).toEqual(items.slice(0, 3));
    const second = await table.query({ ...query, limit: 3, ...(first.next ? { after: first.next } : {}) });
    expect(second.items).toEqual(items.slice(3, 6));
    expect(await collect(table.queryAll({ ...query, limit: 2 }))).toEqual(items);
    expect(await collect(table.queryAll({ ...query, limit: 2, newestFirst: true }))).toEqual(items.toReversed());
    expect((await table.query({ ...query, only: ['day', 'sk'], limit: 1 })).items).toEqual([{ sk: 'D#0000', day: 0 }]);
  });

  test('a query reads an index by its own key', async () => {
    const owner = randomUUID();
    const { items } = await insertDays(3, { owner });
    const query = { index: 'by-owner', where: '#owner = :owner', values: { owner }, limit: 1 };
    expect(await collect(table.queryAll(query))).toEqual(items);
  });

  test('a batch get returns each existing item once', async () => {
    const { pk, items } = await insertDays(230);
    const keys = [...items, ...items.slice(0, 50), { pk, sk: 'missing' }].map(({ pk, sk }) => ({ pk, sk }));
    const found = await table.batchGet(keys, { consistent: true });
    expect(found.toSorted((a, b) => Number(a['day']) - Number(b['day']))).toEqual(items);
    expect(await table.batchGet([])).toEqual([]);
  });

  test('the last write to a key in a batch wins', async () => {
    const { items } = await insertDays(2);
    const [first, second] = items;
    if (!first || !second) throw new Error('two days were expected');
    await table.batchWrite([
      { kind: 'delete', key: first },
      { kind: 'put', item: { ...first, day: 9 } },
      { kind: 'put', item: { ...second, day: 9 } },
      { kind: 'delete', key: second },
    ]);
    expect(await table.batchGet([first, second])).toEqual([{ ...first, day: 9 }]);
  });

  test('a batch write rejects conditions, which it could not check', async () => {
    const write = { kind: 'delete', key: { pk: 'a', sk: 'b' }, condition: 'attribute_exists(#pk)' } as const;
    await expect(table.batchWrite([write])).rejects.toThrow(/cannot have a condition/);
  });

  test('a transaction is applied as a whole', async () => {
    const pk = randomUUID();
    await table.batchWrite([
      { kind: 'put', item: { pk, sk: 'old' } },
      { kind: 'put', item: { pk, sk: 'checked', ok: true } },
    ]);
    await table.transact([
      { kind: 'put', item: { pk, sk: 'new' }, condition: 'attribute_not_exists(#pk)' },
      { kind: 'update', key: { pk, sk: 'count' }, update: 'ADD #count :one', values: { one: 1 } },
      { kind: 'delete', key: { pk, sk: 'old' } },
      { kind: 'check', key: { pk, sk: 'checked' }, condition: '#ok = :ok', values: { ok: true } },
    ]);
    expect(await collect(table.queryAll({ where: '#pk = :pk', values: { pk } }))).toEqual([
      { pk, sk: 'checked', ok: true },
      { pk, sk: 'count', count: 1 },
      { pk, sk: 'new' },
    ]);
  });

  test('a rejected transaction changes nothing and names the writes that failed', async () => {
    const pk = randomUUID();
    const stored = { pk, sk: 'taken', owner: 'someone' };
    await table.write({ kind: 'put', item: stored });
    const error = await captureError(
      table.transact([
        { kind: 'put', item: { pk, sk: 'fine' } },
        { kind: 'put', item: { pk, sk: 'taken' }, condition: 'attribute_not_exists(#pk)' },
        { kind: 'check', key: { pk, sk: 'absent' }, condition: 'attribute_exists(#pk)' },
      ]),
    );
    if (!(error instanceof TransactionCanceled)) throw error;
    expect(error.failures.map((failed) => failed && { item: failed.item })).toEqual([
      undefined,
      { item: stored },
      { item: undefined },
    ]);
    expect(await collect(table.queryAll({ where: '#pk = :pk', values: { pk } }))).toEqual([stored]);
  });

  test('a transaction that can never succeed is an error, not a rejection', async () => {
    const key = { pk: randomUUID(), sk: 'a' };
    await table.write({ kind: 'put', item: { ...key, count: 'text' } });
    const write = { kind: 'update', key, update: 'ADD #count :one', values: { one: 1 } } as const;
    await expect(table.transact([write])).rejects.toThrow(DynamoDBServiceException);
    await expect(table.transact(Array.from({ length: 101 }, () => write))).rejects.toThrow(/at most 100/);
  });

  test('fifty concurrent transactions on one counter are each applied once or rejected', async () => {
    const pk = randomUUID();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        table.transact([
          {
            kind: 'update',
            key: { pk, sk: 'counter' },
            update: 'ADD #count :one',
            condition: 'attribute_not_exists(#count) OR #count < :max',
            values: { one: 1, max: 30 },
          },
          { kind: 'put', item: { pk, sk: `receipt#${index}` }, condition: 'attribute_not_exists(#pk)' },
        ]),
      ),
    );
    const applied = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`receipt#${index}`] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(applied).toHaveLength(30);
    for (const error of refused) expect(error).toBeInstanceOf(TransactionCanceled);
    expect(await table.get({ pk, sk: 'counter' }, { consistent: true })).toHaveProperty('count', 30);
    const receipts = await collect(
      table.queryAll({ where: '#pk = :pk AND begins_with(#sk, :receipt)', values: { pk, receipt: 'receipt#' } }),
    );
    expect(receipts.map(({ sk }) => sk).toSorted()).toEqual(applied.toSorted());
  });

  test('a meter receives the cost of every call', async () => {
    const meteredCalls: Parameters<Meter>[0][] = [];
    const metered = createMeteredTable((call) => meteredCalls.push(call));
    const item = { pk: randomUUID(), sk: 'a', filler: 'x'.repeat(1_500) };
    await metered.write({ kind: 'put', item });
    await metered.get(item, { consistent: true });
    await metered.get(item);
    await metered.query({ where: '#pk = :pk', values: { pk: item.pk } });
    await metered.transact([{ kind: 'put', item }]);
    await metered.batchGet([item], { consistent: true });
    await metered.batchWrite([{ kind: 'delete', key: item }]);
    expect(meteredCalls).toEqual([
      { operation: 'PutItem', readUnits: 0, writeUnits: 2 },
      { operation: 'GetItem', readUnits: 1, writeUnits: 0 },
      { operation: 'GetItem', readUnits: 0.5, writeUnits: 0 },
      { operation: 'Query', readUnits: 0.5, writeUnits: 0 },
      { operation: 'TransactWriteItems', readUnits: 0, writeUnits: 4 },
      { operation: 'BatchGetItem', readUnits: 1, writeUnits: 0 },
      { operation: 'BatchWriteItem', readUnits: 0, writeUnits: 2 },
    ]);
  });

  test('a transaction whose response was lost is applied once', async () => {
    const key = { pk: randomUUID(), sk: 'counter' };
    const client = wrapCalls(testDynamoDb(engineTable.endpoint), async (_operation, send) => {
      await send();
      return send();
    });
    const resendingTable = awsTable({ ...engineTable, client });
    await resendingTable.transact([{ kind: 'update', key, update: 'ADD #count :one', values: { one: 1 } }]);
    expect(await table.get(key, { consistent: true })).toEqual({ ...key, count: 1 });
  });
});
