// Every row of an engine's table, whoever it belongs to. The product never reads so.
import { localClient } from '../../infra/local/engines/connection.ts';
import type { TablePlace } from '../../infra/local/local-table.ts';
import { type AttributeMap, unmarshalItem } from '../../shared/engine/aws/marshal.ts';
import type { Item } from '../../shared/engine/ports.ts';

interface Scanned {
  Items: AttributeMap[];
  LastEvaluatedKey?: AttributeMap;
}

export async function wholeTable({ endpoint, tableName }: TablePlace): Promise<Item[]> {
  const client = localClient('dynamodb', endpoint);
  const rows: Item[] = [];
  for (let from: AttributeMap | undefined, first = true; first || from; first = false) {
    const page: Scanned = await client.call('Scan', {
      TableName: tableName,
      ConsistentRead: true,
      ExclusiveStartKey: from,
    });
    rows.push(...page.Items.map(unmarshalItem));
    from = page.LastEvaluatedKey;
  }
  return rows;
}
