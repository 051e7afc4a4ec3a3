// Gives the local table what the store expects: keys, indexes, stream and time to live.
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
import { tableSchema } from '../../shared/system/table-schema.ts';
import { FixableError } from '../fixable-error.ts';

const pollMilliseconds = 20;

/** The table does not exist and was not to be created. */
export class TableMissing extends Error {
  readonly tableName: string;
  constructor(tableName: string) {
    super(`There is no table ${tableName} on this machine.`);
    this.tableName = tableName;
  }
}

/** Returns the ARN of the table's stream. */
export async function ensureTable(
  client: DynamoDBClient,
  tableName: string,
  { mustExist = false }: { mustExist?: boolean | undefined } = {},
): Promise<string> {
  const existing = await describeTable(client, tableName);
  if (!existing && mustExist) throw new TableMissing(tableName);
  if (!existing) await client.send(new CreateTableCommand(createTableInput(tableName)));
  else await addMissingIndexes(client, tableName, existing);
  const table = await waitUntilActive(client, tableName);
  if (!table.LatestStreamArn) {
    throw new FixableError(
      `The table ${tableName} has no stream. Enable a stream with new and old images, or set DAYBOOK_TABLE to another table.`,
    );
  }
  if (!existing) {
    const TimeToLiveSpecification = { AttributeName: tableSchema.ttl, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
  }
  return table.LatestStreamArn;
}

const keySchema = (pk: string, sk: string) => [
  { AttributeName: pk, KeyType: 'HASH' as const },
  { AttributeName: sk, KeyType: 'RANGE' as const },
];
const stringAttributes = (...names: string[]) =>
  names.map((name) => ({ AttributeName: name, AttributeType: 'S' as const }));
const indexDefinition = (index: (typeof tableSchema.indexes)[number]) => ({
  IndexName: index.name,
  KeySchema: keySchema(index.pk, index.sk),
  Projection: { ProjectionType: index.projection },
});

function createTableInput(tableName: string): CreateTableCommandInput {
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: stringAttributes(
      tableSchema.pk,
      tableSchema.sk,
      ...tableSchema.indexes.flatMap((index) => [index.pk, index.sk]),
    ),
    KeySchema: keySchema(tableSchema.pk, tableSchema.sk),
    GlobalSecondaryIndexes: tableSchema.indexes.map(indexDefinition),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  };
}

async function addMissingIndexes(client: DynamoDBClient, tableName: string, table: TableDescription): Promise<void> {
  const names = (table.KeySchema ?? []).map((key) => key.AttributeName).join(', ');
  if (names !== `${tableSchema.pk}, ${tableSchema.sk}`) {
    throw new FixableError(
      `The table ${tableName} is not a Daybook table: its keys are ${names}. Set DAYBOOK_TABLE to another table, or DAYBOOK_DATA to another folder.`,
    );
  }
  const present = new Set(table.GlobalSecondaryIndexes?.map((index) => index.IndexName));
  for (const index of tableSchema.indexes.filter(({ name }) => !present.has(name))) {
    await client.send(
      new UpdateTableCommand({
        TableName: tableName,
        AttributeDefinitions: stringAttributes(index.pk, index.sk),
        GlobalSecondaryIndexUpdates: [{ Create: indexDefinition(index) }],
      }),
    );
    // An engine builds one index at a time.
    await waitUntilActive(client, tableName);
  }
}

async function describeTable(client: DynamoDBClient, tableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function waitUntilActive(client: DynamoDBClient, tableName: string): Promise<TableDescription> {
  for (;;) {
    const table = await describeTable(client, tableName);
    const isBuilding = table?.GlobalSecondaryIndexes?.some((index) => index.IndexStatus !== 'ACTIVE');
    if (table?.TableStatus === 'ACTIVE' && !isBuilding) return table;
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
}
