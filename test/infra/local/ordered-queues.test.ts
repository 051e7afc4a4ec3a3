// FIFO queues on the local host: one message of a group at a time, and failures that return when
// SQS would return them.
import { beforeEach, expect, test, vi } from 'vitest';
import type { HostedFunctions } from '../../../infra/local/function-runner.ts';
import type { Host } from '../../../infra/local/host.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { clearJournal, recordedBy } from './fixtures/journal.ts';
import { memoryHost } from './local-host.ts';

const reader = {
  entry: 'test/infra/local/fixtures/ordered-worker.ts',
  trigger: { kind: 'queue', queue: 'feed', batchSize: 5 },
  table: [],
  sends: [],
  publishes: false,
  secret: false,
  memoryMb: 128,
  timeoutSeconds: 1,
  whenItFails: 'a test fails',
} as const;
const functions: HostedFunctions = { ordered: reader };
const orderedHost = (more: Parameters<typeof memoryHost>[0] = {}) =>
  memoryHost({ functions, queues: { feed: { maxReceives: 3 } }, ...more });

const group = (name: string): string => makeId('account', 0, new Uint8Array(10).fill(name.charCodeAt(0)));
const job = (of: string, name: string, how = 'well') => ({
  account_id: group(of),
  env: 'live' as const,
  rows: [{ pk: name, sk: how }],
});
interface Step {
  group: string;
  name: string;
  step: 'begins' | 'ends';
  receives: number;
  atMs: number;
}
/** The entries that the fixture records. */
const recordedSteps = (): Step[] => recordedBy('ordered') as Step[];
const stepsOfGroup = (of: string): string[] =>
  recordedSteps()
    .filter((step) => step.group === group(of))
    .map(({ name, step }) => `${name} ${step}`);
const sendAll = (host: Host, ...jobs: ReturnType<typeof job>[]) => host.deps.queue.sendAll('feed', jobs);

beforeEach(clearJournal);

test('messages of a group arrive one at a time and in order, in parallel with other groups', async () => {
  const host = await orderedHost();
  await sendAll(host, job('a', 'a1', 'slow'), job('a', 'a2', 'slow'), job('b', 'b1', 'slow'), job('a', 'a3', 'slow'));
  await host.drain();
  expect(stepsOfGroup('a')).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends', 'a3 begins', 'a3 ends']);
  const order = recordedSteps().map(({ name, step }) => `${name} ${step}`);
  expect(order.indexOf('b1 begins')).toBeLessThan(order.indexOf('a1 ends'));
});

test('the next message of a group arrives as soon as the previous one is done', { timeout: 1_500 }, async () => {
  const host = await orderedHost();
  await sendAll(host, ...Array.from({ length: 8 }, (_, at) => job('a', `a${at}`)));
  await vi.waitFor(() => expect(stepsOfGroup('a').at(-1)).toBe('a7 ends'), { timeout: 1_000, interval: 5 });
});

test('a failure blocks only its group, and is dead-lettered after the receives that the manifest allows', async () => {
  const host = await orderedHost();
  await sendAll(host, job('a', 'a1', 'throws 9'), job('a', 'a2'), job('b', 'b1'));
  await host.drain();
  expect(stepsOfGroup('a')).toEqual(['a1 begins', 'a1 begins', 'a1 begins', 'a2 begins', 'a2 ends']);
  expect(stepsOfGroup('b')).toEqual(['b1 begins', 'b1 ends']);
  expect(await host.deadLetters('feed')).toEqual([job('a', 'a1', 'throws 9')]);
});

test('a message that its function postponed returns at that time, and not before', async () => {
  const host = await orderedHost();
  await sendAll(host, job('a', 'a1', 'throws 1'), job('a', 'a2'));
  await vi.waitFor(() => expect(stepsOfGroup('a').at(-1)).toBe('a2 ends'), { timeout: 5_000, interval: 10 });
  const [first, second] = recordedSteps().filter(({ name, step }) => name === 'a1' && step === 'begins');
  const waitedMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
  expect(waitedMs).toBeGreaterThanOrEqual(1_900);
  expect(waitedMs).toBeLessThan(2_600);
  expect(stepsOfGroup('a')).toEqual(['a1 begins', 'a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
});

test('a run that died returns only after the visibility timeout if the host imitates AWS', async () => {
  // The function times out before the message is handled.
  const slow = { ordered: { ...reader, timeoutSeconds: 0.5 } };
  const host = await orderedHost({ functions: slow, redelivery: 'after visibility' });
  await host.deps.queue.send('feed', job('a', 'a1', 'dies 1'));
  await host.deps.queue.send('feed', job('a', 'a2'));
  await vi.waitFor(() => expect(stepsOfGroup('a').at(-1)).toBe('a2 ends'), { timeout: 8_000, interval: 10 });
  const [first, second] = recordedSteps().filter(({ name, step }) => name === 'a1' && step === 'begins');
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
}, 10_000);

test('a group accepts a deduplication key once within five minutes, and messages without one always', async () => {
  const host = await orderedHost();
  for (const of of ['a', 'b', 'a'])
    await host.deps.queue.send('feed', job(of, `${of} swept`), { deduplicationKey: '12:05' });
  await host.deps.queue.send('feed', job('a', 'a swept later'), { deduplicationKey: '12:10' });
  for (let count = 0; count < 2; count += 1) await host.deps.queue.send('feed', job('a', 'a woken'));
  await host.drain();
  const ended = recordedSteps().flatMap(({ name, step }) => (step === 'ends' ? [name] : []));
  expect(ended.sort()).toEqual(['a swept', 'a swept later', 'a woken', 'a woken', 'b swept']);
});

test('a FIFO queue accepts no delay', async () => {
  const host = await orderedHost();
  // @ts-expect-error SQS refuses a delay of a single message here, so the type has none.
  await expect(host.deps.queue.send('feed', job('a', 'a1'), { delaySeconds: 5 })).rejects.toThrow();
  // @ts-expect-error And a slot means nothing to a standard queue.
  const refused = () => host.deps.queue.send('deliver', {}, { deduplicationKey: 'x' });
  expect(refused).toBeTypeOf('function');
});
