// Batches of a FIFO queue as AWS delivers them: several messages of a group, several groups, and
// failures in between.
import type { SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { onQueue } from '../../../../functions/runtime/on-queue.ts';
import { Superseded } from '../../../../shared/connections/client/sync-errors.ts';
import { mergeFeedJobs } from '../../../../shared/events/number-events.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import { makeId } from '../../../../shared/system/ids.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

interface TestMessage {
  group: string;
  /** What the message names; without it, the body is not JSON. */
  row?: string;
  receives?: number;
  hasGroup?: boolean;
  waitedSeconds?: number;
}

const accounts = new Map<string, string>();
const accountOf = (group: string): string => {
  const id = accounts.get(group) ?? makeId('account', 0, new Uint8Array(10).fill(accounts.size));
  accounts.set(group, id);
  return id;
};

/** The part of the event that the adapter reads. */
const batch = (messages: readonly TestMessage[]) =>
  ({
    Records: messages.map(({ group, row, receives = 1, hasGroup = true, waitedSeconds }, at) => ({
      messageId: `m${at}`,
      receiptHandle: `r${at}`,
      body: row
        ? JSON.stringify({ account_id: accountOf(group), env: 'live', rows: [{ pk: row, sk: 'X' }] })
        : 'not a job',
      attributes: {
        ApproximateReceiveCount: `${receives}`,
        ...(hasGroup ? { MessageGroupId: group } : {}),
        ...(waitedSeconds === undefined
          ? {}
          : {
              SentTimestamp: '1773144000000',
              ApproximateFirstReceiveTimestamp: `${1_773_144_000_000 + waitedSeconds * 1_000}`,
            }),
      },
    })),
  }) as unknown as SQSEvent;

function createWorker(
  options: { bad?: readonly string[]; superseded?: readonly string[]; cannotPostpone?: boolean; random?: number } = {},
) {
  const world = memoryDeps();
  const steps: string[] = [];
  const postponed: [string, number][] = [];
  const deps = {
    ...world.deps,
    random: { bytes: () => new Uint8Array([options.random ?? 0]) },
    queue: {
      ...world.deps.queue,
      async postpone(_queue: string, handle: string, seconds: number) {
        if (options.cannotPostpone) throw new EngineUnavailable('the queue is unavailable');
        postponed.push([handle, seconds]);
      },
    },
  };
  const handle = onQueue('feed', () => async ({ rows }, { receives }) => {
    const name = `${rows[0]?.pk}`;
    steps.push(`${name} begins${receives > 1 ? ` again, ${receives}` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (options.bad?.includes(name)) throw new Error('the job failed');
    if (options.superseded?.includes(name)) throw new Superseded();
    steps.push(`${name} ends`);
  }).build(deps);
  const failures = async (messages: readonly TestMessage[]) =>
    (await handle(batch(messages))).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return { failures, steps, postponed, log: world.log };
}

const [a, b] = [{ group: 'a' }, { group: 'b' }];

test('messages of a group are processed one after the other, and groups in parallel', async () => {
  const { failures, steps } = createWorker();
  expect(
    await failures([
      { ...a, row: 'a1' },
      { ...a, row: 'a2' },
      { ...b, row: 'b1' },
    ]),
  ).toEqual([]);
  expect(steps.filter((step) => step.startsWith('a'))).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
  expect(steps.indexOf('b1 begins')).toBeLessThan(steps.indexOf('a1 ends'));
});

test('a failure reports its message and every later one of its group, which are not started', async () => {
  const { failures, steps, postponed } = createWorker({ bad: ['a2'] });
  const messages = [
    { ...a, row: 'a1' },
    { ...b, row: 'b1' },
    { ...a, row: 'a2' },
    { ...b, row: 'b2' },
    { ...a, row: 'a3' },
  ];
  expect(await failures(messages)).toEqual(['m2', 'm4']);
  expect(steps).not.toContain('a3 begins');
  expect(steps).toEqual(expect.arrayContaining(['a1 ends', 'b1 ends', 'b2 ends']));
  // SQS delivers no message of a group while one of them is invisible.
  expect(postponed).toEqual([
    ['r2', 2],
    ['r4', 2],
  ]);
});

test('a run that lost against another one is retried like a failure, and is logged as no error', async () => {
  const { failures, postponed, log } = createWorker({ superseded: ['a1'], bad: ['b1'] });
  const messages = [
    { ...a, row: 'a1' },
    { ...a, row: 'a2' },
    { ...b, row: 'b1' },
  ];
  expect(await failures(messages)).toEqual(['m0', 'm1', 'm2']);
  expect(postponed.map(([handle]) => handle).sort()).toEqual(['r0', 'r1', 'r2']);
  expect(log.map(({ level, message, fields }) => [level, message, fields['message_id']])).toEqual([
    ['info', 'queue_message_lost_race', 'm0'],
    ['info', 'queue_message_lost_race', 'm1'],
    ['error', 'queue_message_failed', 'm2'],
  ]);
});

test('an invalid body fails its group and no other', async () => {
  const { failures, steps } = createWorker();
  expect(await failures([{ ...a }, { ...a, row: 'a2' }, { ...b, row: 'b1' }])).toEqual(['m0', 'm1']);
  expect(steps).toEqual(['b1 begins', 'b1 ends']);
});

test('messages without a group attribute are grouped by their content', async () => {
  const { failures, steps } = createWorker({ bad: ['a1'] });
  const messages = [{ ...a, row: 'a1' }, { ...a, row: 'a2' }, { ...b, row: 'b1' }, { ...a }].map((message) => ({
    ...message,
    hasGroup: false,
  }));
  expect(await failures(messages)).toEqual(['m0', 'm1', 'm3']);
  expect(steps).toEqual(['a1 begins', 'b1 begins', 'b1 ends']);
});

test.each([
  [1, 0, 2],
  [2, 0, 4],
  [5, 0, 32],
  [6, 0, 60],
  [9, 0, 60],
  [1, 255, 2],
  [3, 255, 6],
  [9, 255, 45],
])('a failure at receive %i, with random byte %i, is postponed by %i seconds', async (receives, random, seconds) => {
  const { failures, postponed, steps } = createWorker({ bad: ['a1'], random });
  expect(await failures([{ ...a, row: 'a1', receives }])).toEqual(['m0']);
  expect(postponed).toEqual([['r0', seconds]]);
  expect(steps).toEqual([receives > 1 ? `a1 begins again, ${receives}` : 'a1 begins']);
});

test('a failure is reported even if it could not be postponed, and the log says so', async () => {
  const { failures, log } = createWorker({ bad: ['a1'], cannotPostpone: true });
  expect(await failures([{ ...a, row: 'a1' }])).toEqual(['m0']);
  expect(log.map(({ level, fields }) => [level, fields['message_id']])).toEqual([
    ['warn', 'm0'],
    ['error', 'm0'],
  ]);
});

test('messages of a group can be merged while groups run in parallel, and a bad message fails only itself and what follows it', async () => {
  const world = memoryDeps();
  const done: string[][] = [];
  const handle = onQueue(
    'feed',
    () =>
      async ({ rows }) => {
        const names = rows.map(({ pk }) => pk);
        if (names.includes('bad')) throw new Error('the job failed');
        done.push(names);
      },
    mergeFeedJobs,
  ).build(world.deps);
  const mixedMessages = [
    ...['a1', 'a2', 'a1', 'a3'].map((row) => ({ group: 'a', row })),
    ...['b1', 'bad', 'b2'].map((row) => ({ group: 'b', row })),
  ];
  const { batchItemFailures } = await handle(batch(mixedMessages));
  expect(done.filter(([name]) => name?.startsWith('a'))).toEqual([['a1', 'a2', 'a3']]);
  expect(done.filter(([name]) => name?.startsWith('b'))).toEqual([['b1']]);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m5', 'm6']);
});

test('a merged job counts as received as often as the message that was received most often', async () => {
  const received: number[] = [];
  const handle = onQueue(
    'feed',
    () =>
      async (_job, { receives }) =>
        void received.push(receives),
    mergeFeedJobs,
  ).build(memoryDeps().deps);
  await handle(batch([1, 3, 2].map((receives) => ({ group: 'a', row: `a${receives}`, receives }))));
  expect(received).toEqual([3]);
});

test('a message that waited a minute before it was first received is logged, and its retries are not', async () => {
  const { failures, log } = createWorker();
  await failures([{ ...a, row: 'one' }]);
  await failures([{ ...a, row: 'one', waitedSeconds: 59 }]);
  await failures([{ ...a, row: 'one', waitedSeconds: 900, receives: 2 }]);
  expect(log).toEqual([]);
  await failures([
    { ...a, row: 'one', waitedSeconds: 60 },
    { ...b, row: 'two', waitedSeconds: 900 },
    { ...b, row: 'three', waitedSeconds: 3_600, receives: 2 },
  ]);
  expect(log).toEqual([
    { level: 'warn', message: 'message_waited_long', fields: { queue: 'feed', oldest_seconds: 900 } },
  ]);
});
