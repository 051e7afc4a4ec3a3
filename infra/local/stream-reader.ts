// Reads the table's stream shard by shard, parents before children, and remembers its position.
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  type ShardIteratorType,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { StreamPositions } from './stream-positions.ts';
import { type StreamRecord, toLambdaRecord } from './stream-record.ts';

export interface StreamReader {
  /**
   * Makes one pass over all shards. Every page goes to `handleRecords`, which stores the position.
   * Returns the number of records.
   */
  readOnce(handleRecords: (shard: string, records: StreamRecord[]) => Promise<void>): Promise<number>;
}

const pageSize = 1000;

export function createStreamReader(options: {
  client: DynamoDBStreamsClient;
  streamArn: string;
  functionName: string;
  positions: StreamPositions;
}): StreamReader {
  const { client, streamArn, functionName, positions } = options;
  const iterators = new Map<string, string>();

  async function listShards(): Promise<Shard[]> {
    const allShards: Shard[] = [];
    let last: string | undefined;
    do {
      const command = new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId: last });
      const { StreamDescription } = await client.send(command);
      allShards.push(...(StreamDescription?.Shards ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last);
    return allShards;
  }

  async function getIterator(shard: string): Promise<string | undefined> {
    const cached = iterators.get(shard);
    if (cached) return cached;
    const { read } = positions.get(functionName, shard);
    if (read === undefined) return shardIterator(shard, 'TRIM_HORIZON');
    try {
      return await shardIterator(shard, 'AFTER_SEQUENCE_NUMBER', read);
    } catch (error) {
      // The engine has trimmed the records after this position. Everything left is newer.
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      return shardIterator(shard, 'TRIM_HORIZON');
    }
  }

  async function shardIterator(shard: string, type: ShardIteratorType, after?: string): Promise<string | undefined> {
    const from = { ShardIteratorType: type, SequenceNumber: after };
    const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shard, ...from });
    return (await client.send(command)).ShardIterator;
  }

  async function readShard(
    shard: string,
    handleRecords: (shard: string, records: StreamRecord[]) => Promise<void>,
  ): Promise<number> {
    let total = 0;
    for (;;) {
      const iterator = await getIterator(shard);
      iterators.delete(shard);
      const page = await getRecords(iterator);
      if (page === 'expired') continue;
      if (page.records.length > 0) await handleRecords(shard, page.records);
      total += page.records.length;
      if (page.next === undefined) {
        positions.set(functionName, shard, { ...positions.get(functionName, shard), finished: true });
        return total;
      }
      iterators.set(shard, page.next);
      if (page.records.length === 0) return total;
    }
  }

  async function getRecords(
    iterator: string | undefined,
  ): Promise<{ records: StreamRecord[]; next: string | undefined } | 'expired'> {
    try {
      const command = new GetRecordsCommand({ ShardIterator: iterator, Limit: pageSize });
      const { Records = [], NextShardIterator } = await client.send(command);
      return { records: Records.map(toLambdaRecord), next: NextShardIterator };
    } catch (error) {
      if (error instanceof ExpiredIteratorException) return 'expired';
      throw error;
    }
  }

  return {
    async readOnce(handleRecords) {
      const all = await listShards();
      const isOpen = (id: string) => positions.get(functionName, id).finished !== true;
      const open = new Set(all.flatMap(({ ShardId = '' }) => (isOpen(ShardId) ? [ShardId] : [])));
      let total = 0;
      for (const { ShardId = '', ParentShardId } of sortParentsFirst(all)) {
        if (!open.has(ShardId)) continue;
        if (ParentShardId !== undefined && open.has(ParentShardId)) continue;
        total += await readShard(ShardId, handleRecords);
        if (!isOpen(ShardId)) open.delete(ShardId);
      }
      return total;
    },
  };
}

function sortParentsFirst(listShards: Shard[]): Shard[] {
  const byId = new Map(listShards.map((shard) => [shard.ShardId, shard]));
  const ordered = new Set<Shard>();
  const add = (shard: Shard) => {
    const parent = shard.ParentShardId === undefined ? undefined : byId.get(shard.ParentShardId);
    if (parent && !ordered.has(parent)) add(parent);
    ordered.add(shard);
  };
  for (const shard of listShards) add(shard);
  return [...ordered];
}
