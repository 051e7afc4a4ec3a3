// The table's stream as Lambda reads it: a shard for each partition of the table, one batch per
// shard at a time, and all shards in parallel.
import { createHash } from 'node:crypto';
import { readFailedIds } from '../../../infra/local/batch-result.ts';
import type { Run } from '../../../infra/local/function-runner.ts';
import { toLambdaImage } from '../../../infra/local/stream-record.ts';
import { marshalItem } from '../../../shared/platform/aws/marshal.ts';
import type { Log } from '../../../shared/platform/ports.ts';
import type { Change } from './charged-table.ts';
import { matchesTrigger, type TriggerOf } from './manifest-triggers.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface SimulatedStream {
  push(change: Change): void;
}

interface StreamRecord {
  number: string;
  change: Change;
}

/** Lambda polls a shard four times per second. */
const pollMs = 250;
const retryMs = 200;
const maxAttempts = 10;

export function simulatedStream(options: {
  name: string;
  trigger: TriggerOf<'stream'>;
  shards: number;
  time: VirtualTime;
  wait(milliseconds: number): Promise<void>;
  run: Run;
  log: Log;
}): SimulatedStream {
  const { name, trigger, shards, time, wait, run, log } = options;
  const waiting: StreamRecord[][] = Array.from({ length: shards }, () => []);
  const isBusy: boolean[] = [];
  let number = 0;

  async function follow(shard: number, records: StreamRecord[]): Promise<void> {
    isBusy[shard] = true;
    await wait(pollMs * Math.random() + trigger.windowSeconds * 1_000);
    for (let tries = 0; records.length > 0; ) {
      const batch = records.slice(0, trigger.batchSize);
      const done = await handleBatch(batch);
      tries = done > 0 ? 0 : tries + 1;
      records.splice(0, done);
      if (done < batch.length) await time.sleep(retryMs * (tries + 1));
      if (tries === maxAttempts) {
        log('error', 'stream_record_given_up', { function: name });
        records.shift();
        tries = 0;
      }
    }
    isBusy[shard] = false;
  }

  /** Returns how many records from the start of the batch were processed. */
  async function handleBatch(batch: readonly StreamRecord[]): Promise<number> {
    try {
      const failed = readFailedIds(await run(name, { Records: batch.map(toStreamRecord) }));
      const first = batch.findIndex((record) => failed.has(record.number));
      return first < 0 ? batch.length : first;
    } catch (error) {
      log('error', 'stream_batch_failed', { function: name, cause: error });
      return 0;
    }
  }

  return {
    push(change) {
      if (!matchesTrigger(trigger, change)) return;
      const shard = shardOf(change.pk, shards);
      const records = waiting[shard];
      if (!records) throw new Error(`the stream has no shard ${shard}`);
      records.push({ number: String(++number), change });
      if (!isBusy[shard]) void time.track(follow(shard, records));
    },
  };
}

const shardOf = (pk: string, shards: number): number =>
  createHash('sha256').update(pk).digest().readUInt32BE() % shards;

const toStreamRecord = ({ number, change: { pk, sk, name, after = {} } }: StreamRecord) => ({
  eventID: number,
  eventName: name,
  eventSource: 'aws:dynamodb',
  dynamodb: {
    SequenceNumber: number,
    Keys: toLambdaImage(marshalItem({ pk, sk })),
    NewImage: toLambdaImage(marshalItem(after)),
  },
});
