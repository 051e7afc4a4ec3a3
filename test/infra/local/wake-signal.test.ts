import { expect, test, vi } from 'vitest';
import { createWaitControl } from '../../../infra/local/wait-control.ts';
import { createWakeSignals, withQueueSignals, withTableSignals } from '../../../infra/local/wake-signal.ts';
import { memoryTable } from '../../harness/memory-table.ts';

const longWaitMs = 60_000;
/** Returns whether a wait of one minute ends immediately. */
async function isOverAtOnce(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  for (let turn = 0; turn < 5 && !over; turn++) await new Promise(setImmediate);
  return over;
}

function createSignals() {
  const waits = createWaitControl();
  return { waits, signalFor: createWakeSignals(waits) };
}

test('a signal that arrives while its reader is busy is not lost, and counts once', async () => {
  const { waits, signalFor } = createSignals();
  const wakeSignal = signalFor('user');
  wakeSignal.signal();
  expect(await isOverAtOnce(wakeSignal.waitAtMost(longWaitMs))).toBe(true);
  const next = wakeSignal.waitAtMost(longWaitMs);
  expect(await isOverAtOnce(next)).toBe(false);
  wakeSignal.signal();
  expect(await isOverAtOnce(next)).toBe(true);
  waits.stop();
});

test('a signal wakes the waiters of its name, and a stop wakes all', async () => {
  const { waits, signalFor } = createSignals();
  const [own, other] = [signalFor('user').waitAtMost(longWaitMs), signalFor('deliver').waitAtMost(longWaitMs)];
  signalFor('user').signal();
  expect([await isOverAtOnce(own), await isOverAtOnce(other)]).toEqual([true, false]);
  waits.stop();
  expect(await isOverAtOnce(other)).toBe(true);
});

test('every send method signals the reader of the queue, after the message is stored', async () => {
  const { waits, signalFor } = createSignals();
  const sent: string[] = [];
  const queue = withQueueSignals(
    {
      send: async (name) => void sent.push(name),
      sendAll: async (name) => void sent.push(name),
      postpone: async () => {},
    },
    (name) => ({ ...signalFor(name), signal: () => void sent.push(`nudged ${name}`) }),
  );
  await queue.send('user', {});
  await queue.sendAll('deliver', [{}]);
  expect(sent).toEqual(['user', 'nudged user', 'deliver', 'nudged deliver']);
  waits.stop();
});

test('a delayed message signals its reader again when its delay ends', async () => {
  vi.useFakeTimers();
  let signalCount = 0;
  const queue = withQueueSignals({ send: async () => {}, sendAll: async () => {}, postpone: async () => {} }, () => ({
    signal: () => void signalCount++,
    waitAtMost: async () => {},
  }));
  await queue.send('deliver', {}, { delaySeconds: 5 });
  expect(signalCount).toBe(1);
  vi.advanceTimersByTime(4_999);
  expect(signalCount).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(signalCount).toBe(2);
  vi.useRealTimers();
});

test('every write method signals for a watched item, and not for other items', async () => {
  const { waits, signalFor } = createSignals();
  let signalCount = 0;
  const table = withTableSignals(memoryTable(), ['seen'], { ...signalFor('x'), signal: () => void signalCount++ });
  const put = (sk: string, more = {}) => ({ kind: 'put' as const, item: { pk: 'a', sk, ...more } });
  const seen = { seen: 'yes' };
  const update = { kind: 'update', key: { pk: 'a', sk: 'b' }, update: 'SET #seen = :yes', values: { yes: 1 } } as const;
  const steps = [
    () => table.write(put('c', seen)),
    () => table.transact([put('b'), put('d', seen)]),
    () => table.batchWrite([put('e', seen)]),
    () => table.write(update),
  ];
  for (const [index, step] of steps.entries()) {
    await step();
    expect(signalCount).toBe(index + 1);
  }
  await table.write(put('f'));
  expect(signalCount).toBe(steps.length);
  waits.stop();
});
