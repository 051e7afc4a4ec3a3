// Reads the table's stream shard by shard, a parent before its children, and remembers how far it came.
import { AwsError } from '../../shared/engine/aws/aws-error.ts';
import type { AwsClient } from '../../shared/engine/aws/client.ts';
import type { StreamPositions } from './stream-positions.ts';

export interface StreamRecord {
  eventID: string;
  eventName: string;
  dynamodb: { SequenceNumber: string; Keys: Record<string, { S?: string }>; [more: string]: unknown };
  [more: string]: unknown;
}

export interface StreamReader {
  /** One pass over all shards; every page goes to `take`, which settles how far it was handled. Returns how many records came. */
  pass(take: (shard: string, records: StreamRecord[]) => Promise<void>): Promise<number>;
}

interface Shard {
  ShardId: string;
  ParentShardId?: string;
}

const pageSize = 1000;

export function streamReader(options: {
  client: AwsClient;
  streamArn: string;
  functionName: string;
  positions: StreamPositions;
}): StreamReader {
  const { client, streamArn, functionName, positions } = options;
  const iterators = new Map<string, string>();

  async function shards(): Promise<Shard[]> {
    const found: Shard[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await client.call<{
        StreamDescription: { Shards?: Shard[]; LastEvaluatedShardId?: string };
      }>('DescribeStream', { StreamArn: streamArn, ...(last ? { ExclusiveStartShardId: last } : {}) });
      found.push(...(StreamDescription.Shards ?? []));
      last = StreamDescription.LastEvaluatedShardId;
    } while (last);
    return found;
  }

  async function iteratorOf(shard: string): Promise<string> {
    const known = iterators.get(shard);
    if (known) return known;
    const { read } = positions.get(functionName, shard);
    const from = read
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: read }
      : { ShardIteratorType: 'TRIM_HORIZON' };
    const input = { StreamArn: streamArn, ShardId: shard };
    try {
      return await shardIterator({ ...input, ...from });
    } catch (error) {
      // The engine no longer keeps what follows our position: all that is left is newer.
      if (!(error instanceof AwsError && error.code === 'TrimmedDataAccessException')) throw error;
      return shardIterator({ ...input, ShardIteratorType: 'TRIM_HORIZON' });
    }
  }

  async function shardIterator(input: Record<string, string>): Promise<string> {
    return (await client.call<{ ShardIterator: string }>('GetShardIterator', input)).ShardIterator;
  }

  async function readShard(
    shard: string,
    take: (shard: string, records: StreamRecord[]) => Promise<void>,
  ): Promise<number> {
    let total = 0;
    for (;;) {
      const iterator = await iteratorOf(shard);
      iterators.delete(shard);
      const page = await getRecords(iterator);
      if (page === 'expired') continue;
      if (page.records.length > 0) await take(shard, page.records);
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
    iterator: string,
  ): Promise<{ records: StreamRecord[]; next: string | undefined } | 'expired'> {
    try {
      const answer = await client.call<{ Records: StreamRecord[]; NextShardIterator?: string | null }>('GetRecords', {
        ShardIterator: iterator,
        Limit: pageSize,
      });
      return { records: answer.Records, next: answer.NextShardIterator ?? undefined };
    } catch (error) {
      if (error instanceof AwsError && error.code === 'ExpiredIteratorException') return 'expired';
      throw error;
    }
  }

  return {
    async pass(take) {
      const all = await shards();
      const isOpen = (id: string) => positions.get(functionName, id).finished !== true;
      const open = new Set(all.map((shard) => shard.ShardId).filter(isOpen));
      let total = 0;
      for (const shard of parentsFirst(all)) {
        if (!open.has(shard.ShardId)) continue;
        if (shard.ParentShardId !== undefined && open.has(shard.ParentShardId)) continue;
        total += await readShard(shard.ShardId, take);
        if (!isOpen(shard.ShardId)) open.delete(shard.ShardId);
      }
      return total;
    },
  };
}

function parentsFirst(shards: Shard[]): Shard[] {
  const byId = new Map(shards.map((shard) => [shard.ShardId, shard]));
  const ordered = new Set<Shard>();
  const add = (shard: Shard) => {
    const parent = shard.ParentShardId === undefined ? undefined : byId.get(shard.ParentShardId);
    if (parent && !ordered.has(parent)) add(parent);
    ordered.add(shard);
  };
  for (const shard of shards) add(shard);
  return [...ordered];
}
