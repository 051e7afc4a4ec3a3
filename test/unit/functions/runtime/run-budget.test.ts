// Several groups of messages in one run: a slow one does not spend the receives of the others.
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onQueue } from '../../../../functions/runtime/on-queue.ts';
import { groupBudgetMs } from '../../../../functions/runtime/run-budget.ts';
import { maxRunDurationMs } from '../../../../functions/runtime/run-deadline.ts';
import { mergeFeedJobs } from '../../../../shared/events/number-events.ts';
import { makeId } from '../../../../shared/system/ids.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const account = (name: string) => makeId('account', 0, new Uint8Array(10).fill(name.charCodeAt(0)));
const feedMessage = (group: string, row: string) => ({
  messageId: row,
  receiptHandle: row,
  body: JSON.stringify({ account_id: account(group), env: 'live', rows: [{ pk: row, sk: 'X' }] }),
  attributes: { ApproximateReceiveCount: '1', MessageGroupId: group },
});
const deliverMessage = (first: number) => ({
  messageId: `m${first}`,
  receiptHandle: `m${first}`,
  body: JSON.stringify({ account_id: account('a'), env: 'live', first }),
  attributes: { ApproximateReceiveCount: '1' },
});
/** The part of the event that the adapter reads. */
const eventOf = (records: readonly unknown[]) => ({ Records: records }) as unknown as SQSEvent;

test('a slow feed returns with all that follows it, when the budget of its group is used up, and the others are done', async () => {
  const postponed: string[] = [];
  const done: string[] = [];
  const { deps } = memoryDeps();
  const world = {
    ...deps,
    queue: { ...deps.queue, postpone: async (_queue: string, handle: string) => void postponed.push(handle) },
  };
  let release = (): void => {};
  const handle = onQueue(
    'feed',
    () =>
      async ({ rows }) => {
        if (rows.some(({ pk }) => pk === 'slow1')) await new Promise<void>((resolve) => (release = resolve));
        done.push(...rows.map(({ pk }) => pk));
      },
    mergeFeedJobs,
  ).build(world);
  const records = ['slow1', 'slow2'].map((row) => feedMessage('s', row));
  const running = handle(eventOf([...records, feedMessage('a', 'quick1'), feedMessage('b', 'quick2')]));
  await vi.advanceTimersByTimeAsync(groupBudgetMs - 1);
  expect(done).toEqual(['quick1', 'quick2']);
  await vi.advanceTimersByTimeAsync(1);
  const { batchItemFailures } = await running;
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['slow1', 'slow2']);
  // They return when nothing of this run can still write.
  expect(postponed).toEqual([]);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(postponed).toEqual([]);
});

test('a group that is alone in its run has all of its time', async () => {
  const handle = onQueue('feed', () => () => new Promise((resolve) => setTimeout(resolve, groupBudgetMs + 5_000)));
  const running = handle.build(memoryDeps().deps)(eventOf([feedMessage('a', 'one')]));
  await vi.advanceTimersByTimeAsync(groupBudgetMs + 5_000);
  expect((await running).batchItemFailures).toEqual([]);
});

test.each([
  ['succeeds', false],
  ['fails', true],
])('what a slow group had done does not return, and when its message %s late, nothing follows', async (_how, fails) => {
  const postponed: string[] = [];
  const started: string[] = [];
  const { deps } = memoryDeps();
  const world = {
    ...deps,
    queue: { ...deps.queue, postpone: async (_queue: string, handle: string) => void postponed.push(handle) },
  };
  let end = (_error?: Error): void => {};
  const handle = onQueue('feed', () => async ({ rows: [row] }) => {
    started.push(row?.pk ?? '');
    if (row?.pk === 'slow')
      await new Promise<void>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve());
      });
  }).build(world);
  const records = ['quick', 'slow', 'next'].map((row) => feedMessage('s', row));
  const running = handle(eventOf([...records, feedMessage('a', 'other')]));
  await vi.advanceTimersByTimeAsync(groupBudgetMs);
  const { batchItemFailures } = await running;
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['slow', 'next']);
  end(fails ? new Error('it failed late') : undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([started.toSorted(), postponed]).toEqual([['other', 'quick', 'slow'], []]);
});

test('a slow endpoint returns alone, and from then on cannot write', async () => {
  const { deps, clock } = memoryDeps();
  let late: unknown;
  const handle = onQueue('deliver', ({ store }) => async (job) => {
    if (!('first' in job) || job.first !== 1) return;
    await new Promise((resolve) => setTimeout(resolve, groupBudgetMs + 1_000));
    late = await store.table.write({ kind: 'put', item: { pk: 'a', sk: 'late' } }).catch((error: unknown) => error);
  }).build(deps);
  const running = handle(eventOf([1, 2, 3].map(deliverMessage)));
  clock.advance(groupBudgetMs);
  await vi.advanceTimersByTimeAsync(groupBudgetMs);
  expect((await running).batchItemFailures).toEqual([{ itemIdentifier: 'm1' }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(String(late)).toContain('cannot write any more');
});

test('the budget is well below the time of a run', () => {
  expect(groupBudgetMs).toBeLessThanOrEqual((2 / 3) * maxRunDurationMs);
});
