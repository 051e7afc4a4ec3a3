// Hands the table's stream to a function as a DynamoDB mapping does: in order, from the failed record on again, past a poison record in the end.
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
  /** Handles everything the stream holds now. */
  catchUp(): Promise<void>;
  /** Records that were given up after all tries. */
  readonly deadLetters: readonly StreamRecord[];
  /** Reads on until the pace is stopped. */
  run(): Promise<void>;
}

export interface StreamPumpOptions {
  client: DynamoDBStreamsClient;
  streamArn: string;
  positions: StreamPositions;
  functionName: string;
  /** Only items that have it, as text. */
  attribute: string;
  batchSize: number;
  run: Run;
  log: Log;
  pace: WaitControl;
  activity: Activity;
  /** Tells of writes of this process; those of others are found when it looks again. */
  wakeSignal: WakeSignal;
  /** Whoever keeps the records may forget what everybody has read. */
  deleteThrough?: ((sequenceNumber: string) => void) | undefined;
}

const idleMilliseconds = 2_000;
/** What comes while others are handed on is handed on together: whoever numbers events takes one message at a time. */
const batchingMilliseconds = 300;
const retryMilliseconds = 200;
const maxAttempts = 5;

class PumpStopped extends Error {}

export function createStreamPump(options: StreamPumpOptions): StreamPump {
  const { positions, functionName, log, pace: waits, activity } = options;
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
        // Nobody said which record is at fault, so the batch is halved until it stands alone.
        const half = Math.ceil(remaining.length / 2);
        await deliver(remaining.slice(0, half), savePosition);
        await deliver(remaining.slice(half), savePosition);
        return;
      }
      const [poison, ...others] = remaining;
      if (poison) {
        deadLetters.push(poison);
        log('error', 'gave up on a stream record', {
          function: functionName,
          keys: poison.dynamodb.Keys,
          tries,
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
      log('warn', 'a function failed on a stream record', { function: functionName });
      return { firstFailed: Math.max(first, 0), threw: first < 0 };
    } catch (error) {
      log('warn', 'a function failed on a stream batch', { function: functionName, error });
      return { firstFailed: 0, threw: true };
    }
  }

  const withSource = (record: StreamRecord) => ({ ...record, eventSourceARN: options.streamArn });

  let lastPass: Promise<unknown> = Promise.resolve();
  /** One pass at a time: the background's and a drain's never overlap. */
  function pass(): Promise<number> {
    const currentPass = lastPass.then(() => reader.readOnce(handleRecords));
    // Whoever asked for the pass hears of its error; the next one only waits for its end.
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
          log('warn', 'could not read the stream', { function: functionName, error });
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
