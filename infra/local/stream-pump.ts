// Passes the table's stream to a function as a DynamoDB event source mapping does: in order,
// retrying from the failed record, and eventually skipping a poison record.
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Log } from '../../shared/platform/ports.ts';
import type { Activity } from './activity.ts';
import { readFailedIds } from './batch-result.ts';
import type { Run } from './function-runner.ts';
import type { StreamPositions } from './stream-positions.ts';
import { createStreamReader } from './stream-reader.ts';
import type { StreamRecord } from './stream-record.ts';
import type { WaitControl } from './wait-control.ts';
import type { WakeSignal } from './wake-signal.ts';

export interface StreamPump {
  /** Handles everything that is in the stream now. */
  catchUp(): Promise<void>;
  /** Records that were given up after all attempts. */
  readonly deadLetters: readonly StreamRecord[];
  /** Reads until the host stops. */
  run(): Promise<void>;
}

export interface StreamPumpOptions {
  client: DynamoDBStreamsClient;
  streamArn: string;
  positions: StreamPositions;
  functionName: string;
  /** Only items that have this attribute as a string are delivered. */
  attribute: string;
  batchSize: number;
  run: Run;
  log: Log;
  waits: WaitControl;
  activity: Activity;
  /** Signals writes of this process. Writes of other processes are found by polling. */
  wakeSignal: WakeSignal;
  /** Deletes records that all readers have read. */
  deleteThrough?: ((sequenceNumber: string) => void) | undefined;
}

const idleMilliseconds = 10_000;
/**
 * Collects records that arrive while others are being delivered, because the feed writer handles
 * one message at a time.
 */
const batchingMilliseconds = 300;
const retryMilliseconds = 200;
const maxAttempts = 5;

class PumpStopped extends Error {}

export function createStreamPump(options: StreamPumpOptions): StreamPump {
  const { positions, functionName, log, waits, activity } = options;
  const reader = createStreamReader(options);
  const deadLetters: StreamRecord[] = [];
  let hasDelivered = false;

  async function handleRecords(shard: string, records: StreamRecord[]): Promise<void> {
    const savePosition = (record: StreamRecord) =>
      positions.set(functionName, shard, { read: record.dynamodb.SequenceNumber });
    const relevant = records.filter((record) => isRelevant(record, options));
    if (relevant.length > 0) hasDelivered = true;
    for (let start = 0; start < relevant.length; start += options.batchSize) {
      const batch = relevant.slice(start, start + options.batchSize);
      await activity.track(() => deliver(batch, savePosition));
    }
    const last = records.at(-1);
    if (!last) return;
    savePosition(last);
    options.deleteThrough?.(last.dynamodb.SequenceNumber);
  }

  async function deliver(batch: StreamRecord[], savePosition: (record: StreamRecord) => void): Promise<void> {
    let remaining = batch;
    let tries = 0;
    for (;;) {
      const { firstFailed, threw } = await attempt(remaining);
      if (firstFailed === undefined) break;
      const done = remaining[firstFailed - 1];
      if (done) {
        savePosition(done);
        remaining = remaining.slice(firstFailed);
        tries = 0;
      }
      tries += 1;
      if (tries < maxAttempts) {
        await waits.wait(retryMilliseconds * tries);
        if (waits.stopped) throw new PumpStopped();
        continue;
      }
      if (threw && remaining.length > 1) {
        // The function did not report which record failed, so the batch is halved until that record
        // is alone.
        const half = Math.ceil(remaining.length / 2);
        await deliver(remaining.slice(0, half), savePosition);
        await deliver(remaining.slice(half), savePosition);
        return;
      }
      const [poison, ...others] = remaining;
      if (poison) {
        deadLetters.push(poison);
        log('error', 'stream_record_given_up', {
          function: functionName,
          row_keys: poison.dynamodb.Keys,
          attempts: tries,
        });
        savePosition(poison);
      }
      if (others.length === 0) return;
      remaining = others;
      tries = 0;
    }
    const last = remaining.at(-1);
    if (last) savePosition(last);
  }

  async function attempt(batch: StreamRecord[]): Promise<{ firstFailed: number | undefined; threw: boolean }> {
    try {
      const failed = readFailedIds(await options.run(functionName, { Records: batch.map(withSource) }));
      if (failed.size === 0) return { firstFailed: undefined, threw: false };
      const first = batch.findIndex((record) => failed.has(record.dynamodb.SequenceNumber));
      log('warn', 'stream_record_failed', { function: functionName });
      return { firstFailed: Math.max(first, 0), threw: first < 0 };
    } catch (error) {
      log('warn', 'stream_batch_failed', { function: functionName, cause: error });
      return { firstFailed: 0, threw: true };
    }
  }

  const withSource = (record: StreamRecord) => ({ ...record, eventSourceARN: options.streamArn });

  let lastPass: Promise<unknown> = Promise.resolve();
  /** Runs one pass at a time, so that the background loop and a drain never overlap. */
  function pass(): Promise<number> {
    const currentPass = lastPass.then(() => reader.readOnce(handleRecords));
    // The caller of this pass gets its error; the next pass only waits for it to end.
    lastPass = currentPass.then(
      () => {},
      () => {},
    );
    return currentPass;
  }

  return {
    deadLetters,
    async catchUp() {
      let recordCount: number;
      do recordCount = await pass();
      while (recordCount > 0);
    },
    async run() {
      while (!waits.stopped) {
        try {
          await pass();
        } catch (error) {
          if (waits.stopped || error instanceof PumpStopped) return;
          log('warn', 'stream_read_failed', { function: functionName, cause: error });
        }
        if (hasDelivered) await waits.wait(batchingMilliseconds);
        hasDelivered = false;
        await options.wakeSignal.waitAtMost(idleMilliseconds);
      }
    },
  };
}

function isRelevant(record: StreamRecord, { attribute }: Pick<StreamPumpOptions, 'attribute'>): boolean {
  return record.eventName !== 'REMOVE' && record.dynamodb.NewImage?.[attribute]?.S !== undefined;
}
