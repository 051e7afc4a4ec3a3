import { describe, expect, test } from 'vitest';
import { NotGranted, withTableGrants } from '../../../infra/local/grants.ts';
import type { Query } from '../../../shared/platform/ports.ts';
import { type TableIndex, tableSchema } from '../../../shared/system/table-schema.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const onTable: Query = { where: '#pk = :pk', values: { pk: 'A#1' } };
const byList: Query = { index: 'by-list', where: '#listPk = :list', values: { list: 'accounts' } };
const byDue: Query = { index: 'by-due', where: '#duePk = :due', values: { due: 'sync' } };

const { table } = memoryDeps();
const grant = (actions: readonly 'Query'[], ...indexes: TableIndex[]) =>
  withTableGrants(table, 'users', { table: actions, indexes });
const readAll = async (queried: ReturnType<typeof grant>, query: Query) => {
  const items = [];
  for await (const item of queried.queryAll(query)) items.push(item);
  return items;
};

describe('a function', () => {
  test('that may query the table may query none of its indexes, and the error names the missing setting', async () => {
    const granted = withTableGrants(table, 'users', { table: ['Query'] });
    expect((await granted.query(onTable)).items).toEqual([]);
    for (const query of [byList, byDue]) {
      const message = `users may not query the index ${query.index}: add it to the indexes of users in infra/functions.ts`;
      await expect(granted.query(query)).rejects.toThrow(message);
      await expect(readAll(granted, query)).rejects.toThrow(message);
    }
  });

  test('queries only the indexes it is granted, which do not open the table', async () => {
    const granted = grant([], 'by-list');
    expect((await granted.query(byList)).items).toEqual([]);
    expect(await readAll(granted, byList)).toEqual([]);
    for (const query of [onTable, byDue]) {
      await expect(granted.query(query)).rejects.toThrow(NotGranted);
      await expect(readAll(granted, query)).rejects.toThrow(NotGranted);
    }
  });
});

test('every index of the table has a query above', () => {
  expect([byList.index, byDue.index]).toEqual(tableSchema.indexes.map(({ name }) => name));
});
