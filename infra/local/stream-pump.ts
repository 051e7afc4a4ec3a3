// Hands the table's stream to a function as a DynamoDB mapping does: in order, from the failed record on again, past a poison record in the end.
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Log } from '../../shared/platform/ports.ts';
import type { Activity } from './activity.ts';
import { failedIds } from './batch-result.ts';
import type { Run } from './function-runner.ts';
import type { Nudge } from './nudge.ts';
import type { Pace } from './pace.ts';
import type { StreamPositions } from './stream-positions.ts';
import { streamReader } from './stream-reader.ts';
import type { StreamRecord } from './stream-record.ts';

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
  pace: Pace;
  activity: Activity;
  /** Tells of writes of this process; those of others are found when it looks again. */
  nudge: Nudge;
  /** Whoever keeps the records may forget what everybody has read. */
  forgetThrough?: ((sequenceNumber: string) => void) | undefined;
}

const idleMilliseconds = 2_000;
/** What comes while others are handed on is handed on together: whoever numbers events takes one message at a time. */
const gatheringMilliseconds = 300;
const retryMilliseconds = 200;
const mostTries = 5;

class Stopped extends Error {}

export function streamPump(options: StreamPumpOptions): StreamPump {
  const { positions, functionName, log, pace, activity } = options;
  const reader = streamReader(options);
  const deadLetters: StreamRecord[] = [];
  let hasHandedOn = false;

  async function take(shard: string, records: StreamRecord[]): Promise<void> {
    const settle = (record: StreamRecord) =>
      positions.set(functionName, shard, { read: record.dynamodb.SequenceNumber });
    const wanted = records.filter((record) => concerns(record, options));
    if (wanted.length > 0) hasHandedOn = true;
    for (let start = 0; start < wanted.length; start += options.batchSize) {
      const batch = wanted.slice(start, start + options.batchSize);
      await activity.track(() => deliver(batch, settle));
    }
    const last = records.at(-1);
    if (!last) return;
    settle(last);
    options.forgetThrough?.(last.dynamodb.SequenceNumber);
  }

  async function deliver(batch: StreamRecord[], settle: (record: StreamRecord) => void): Promise<void> {
    let rest = batch;
    let tries = 0;
    for (;;) {
      const { firstFailed, threw } = await attempt(rest);
      if (firstFailed === undefined) break;
      const done = rest[firstFailed - 1];
      if (done) {
        settle(done);
        rest = rest.slice(firstFailed);
        tries = 0;
      }
      tries += 1;
      if (tries < mostTries) {
        await pace.wait(retryMilliseconds * tries);
        if (pace.stopped) throw new Stopped();
        continue;
      }
      if (threw && rest.length > 1) {
        // Nobody said which record is at fault, so the batch is halved until it stands alone.
        const half = Math.ceil(rest.length / 2);
        await deliver(rest.slice(0, half), settle);
        await deliver(rest.slice(half), settle);
        return;
      }
      const [poison, ...others] = rest;
      if (poison) {
        deadLetters.push(poison);
        log('error', 'gave up on a stream record', {
          function: functionName,
          keys: poison.dynamodb.Keys,
          tries,
        });
        settle(poison);
      }
      if (others.length === 0) return;
      rest = others;
      tries = 0;
    }
    const last = rest.at(-1);
    if (last) settle(last);
  }

  async function attempt(batch: StreamRecord[]): Promise<{ firstFailed: number | undefined; threw: boolean }> {
    try {
      const failed = failedIds(await options.run(functionName, { Records: batch.map(withSource) }));
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

  let turn: Promise<unknown> = Promise.resolve();
  /** One pass at a time: the background's and a drain's never overlap. */
  function pass(): Promise<number> {
    const mine = turn.then(() => reader.pass(take));
    // Whoever asked for the pass hears of its error; the next one only waits for its end.
    turn = mine.then(
      () => {},
      () => {},
    );
    return mine;
  }

  return {
    deadLetters,
    async catchUp() {
      let found: number;
      do found = await pass();
      while (found > 0);
    },
    async run() {
      while (!pace.stopped) {
        try {
          await pass();
        } catch (error) {
          if (pace.stopped || error instanceof Stopped) return;
          log('warn', 'could not read the stream', { function: functionName, error });
        }
        if (hasHandedOn) await pace.wait(gatheringMilliseconds);
        hasHandedOn = false;
        await options.nudge.orAfter(idleMilliseconds);
      }
    },
  };
}

function concerns(record: StreamRecord, { attribute }: Pick<StreamPumpOptions, 'attribute'>): boolean {
  return record.eventName !== 'REMOVE' && record.dynamodb.NewImage?.[attribute]?.S !== undefined;
}
