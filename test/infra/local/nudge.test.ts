import { expect, test } from 'vitest';
import { makeNudges, nudging, nudgingQueue } from '../../../infra/local/nudge.ts';
import { makePace } from '../../../infra/local/pace.ts';
import { memoryTable } from '../../harness/memory-table.ts';

const long = 60_000;
/** Whether a wait that would last a minute is over at once. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  for (let turn = 0; turn < 5 && !over; turn++) await new Promise(setImmediate);
  return over;
}

function nudges() {
  const pace = makePace();
  return { pace, nudgeOf: makeNudges(pace) };
}

test('a nudge that comes while its reader is busy is not lost, and counts once', async () => {
  const { pace, nudgeOf } = nudges();
  const nudge = nudgeOf('person');
  nudge.now();
  expect(await isOver(nudge.orAfter(long))).toBe(true);
  const next = nudge.orAfter(long);
  expect(await isOver(next)).toBe(false);
  nudge.now();
  expect(await isOver(next)).toBe(true);
  pace.stop();
});

test('a nudge wakes whoever has its name, and a stop wakes everybody', async () => {
  const { pace, nudgeOf } = nudges();
  const [mine, other] = [nudgeOf('person').orAfter(long), nudgeOf('deliver').orAfter(long)];
  nudgeOf('person').now();
  expect([await isOver(mine), await isOver(other)]).toEqual([true, false]);
  pace.stop();
  expect(await isOver(other)).toBe(true);
});

test('every way to send nudges the reader of the queue, after the message is there', async () => {
  const { pace, nudgeOf } = nudges();
  const sent: string[] = [];
  const queue = nudgingQueue(
    {
      send: async (name) => void sent.push(name),
      sendAll: async (name) => void sent.push(name),
      postpone: async () => {},
    },
    (name) => ({ ...nudgeOf(name), now: () => void sent.push(`nudged ${name}`) }),
  );
  await queue.send('person', {});
  await queue.sendAll('deliver', [{}]);
  expect(sent).toEqual(['person', 'nudged person', 'deliver', 'nudged deliver']);
  pace.stop();
});

test('every way to write an item of interest nudges, and others do not', async () => {
  const { pace, nudgeOf } = nudges();
  let nudged = 0;
  const table = nudging(memoryTable(), ['seen'], { ...nudgeOf('x'), now: () => void nudged++ });
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
    expect(nudged).toBe(index + 1);
  }
  await table.write(put('f'));
  expect(nudged).toBe(steps.length);
  pace.stop();
});
