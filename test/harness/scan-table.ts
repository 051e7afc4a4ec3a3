// Reads every row of an engine's table, of all users. The product never does this.
import { paginateScan } from '@aws-sdk/client-dynamodb';
import type { LocalTable } from '../../infra/local/local-table.ts';
import { unmarshalItem } from '../../shared/platform/aws/marshal.ts';
import type { Item } from '../../shared/platform/ports.ts';
import { localDynamoDb } from './engine-clients.ts';

export async function scanTable({ endpoint, tableName }: Pick<LocalTable, 'endpoint' | 'tableName'>): Promise<Item[]> {
  const client = localDynamoDb(endpoint);
  const rows: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName, ConsistentRead: true }))
    rows.push(...Items.map(unmarshalItem));
  return rows;
}
