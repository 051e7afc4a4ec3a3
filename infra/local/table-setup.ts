// Makes the local table what the store expects: its keys, its indexes, its stream and its time to live.
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableShape } from '../../shared/system/keys.ts';

const pollMilliseconds = 20;

/** Returns the ARN of the table's stream. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<string> {
  const found = await describe(client, tableName);
  if (!found) await client.send(new CreateTableCommand(creation(tableName)));
  else await addMissingIndexes(client, tableName, found);
  const table = await settled(client, tableName);
  if (!table.LatestStreamArn) {
    throw new Error(
      `The table ${tableName} has no stream. Switch on its stream with new and old images, or name another table in DAYBOOK_TABLE.`,
    );
  }
  if (!found) {
    const TimeToLiveSpecification = { AttributeName: tableShape.ttl, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
  }
  return table.LatestStreamArn;
}

const keySchema = (pk: string, sk: string) => [
  { AttributeName: pk, KeyType: 'HASH' as const },
  { AttributeName: sk, KeyType: 'RANGE' as const },
];
const strings = (...names: string[]) => names.map((name) => ({ AttributeName: name, AttributeType: 'S' as const }));
const indexDefinition = (index: (typeof tableShape.indexes)[number]) => ({
  IndexName: index.name,
  KeySchema: keySchema(index.pk, index.sk),
  Projection: { ProjectionType: index.projection },
});

function creation(tableName: string): CreateTableCommandInput {
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: strings(
      tableShape.pk,
      tableShape.sk,
      ...tableShape.indexes.flatMap((index) => [index.pk, index.sk]),
    ),
    KeySchema: keySchema(tableShape.pk, tableShape.sk),
    GlobalSecondaryIndexes: tableShape.indexes.map(indexDefinition),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  };
}

async function addMissingIndexes(client: DynamoDBClient, tableName: string, table: TableDescription): Promise<void> {
  const names = (table.KeySchema ?? []).map((key) => key.AttributeName).join(', ');
  if (names !== `${tableShape.pk}, ${tableShape.sk}`) {
    throw new Error(
      `The table ${tableName} is not Daybook's: its keys are ${names}. Name another table in DAYBOOK_TABLE, or another folder in DAYBOOK_DATA.`,
    );
  }
  const present = new Set(table.GlobalSecondaryIndexes?.map((index) => index.IndexName));
  for (const index of tableShape.indexes.filter(({ name }) => !present.has(name))) {
    await client.send(
      new UpdateTableCommand({
        TableName: tableName,
        AttributeDefinitions: strings(index.pk, index.sk),
        GlobalSecondaryIndexUpdates: [{ Create: indexDefinition(index) }],
      }),
    );
    // An engine builds one index at a time.
    await settled(client, tableName);
  }
}

async function describe(client: DynamoDBClient, tableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function settled(client: DynamoDBClient, tableName: string): Promise<TableDescription> {
  for (;;) {
    const table = await describe(client, tableName);
    const building = table?.GlobalSecondaryIndexes?.some((index) => index.IndexStatus !== 'ACTIVE');
    if (table?.TableStatus === 'ACTIVE' && !building) return table;
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
}
