import { beforeEach, expect, test } from 'vitest';
import type { Table, Write } from '../../../shared/platform/ports.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { createRacedUser, type RacedUser } from '../../harness/raced-user.ts';
import { watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';

let user: RacedUser;
let transactions: string[][];
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), null);
  transactions = [];
});

const workout = (hour: number, bpm: number, more: object = {}): object => ({
  type: 'walking',
  start: `2026-03-10T${hour}:00:00Z`,
  end: `2026-03-10T${hour}:30:00Z`,
  heart_rate: [{ timestamp: `2026-03-10T${hour}:10:00Z`, bpm }],
  ...more,
});

const kindOf = (write: Write): string => String(write.kind === 'put' ? write.item['sk'] : write.key.sk).slice(0, 2);

async function bring(...workouts: object[]): Promise<void> {
  const watched: Table = {
    ...user.table,
    transact: (writes) => {
      transactions.push(writes.map(kindOf));
      return user.table.transact(writes);
    },
  };
  await user.upload(watch, { workouts });
  transactions = [];
  await runWriter(user.withTable(watched, false), user.id);
}

const withTraces = () => transactions.filter((kinds) => kinds.includes('H#'));

test('a trace is written with the workout that names it', async () => {
  await bring(workout(10, 100), workout(12, 120));
  expect(withTraces()).toEqual([['W#', 'H#', 'H#']]);
});

test('a stored trace is not written again when another workout joins its day or its own workout is corrected', async () => {
  await bring(workout(10, 100));
  await bring(workout(10, 100), workout(12, 120));
  expect(withTraces()).toEqual([['W#', 'H#']]);
  await bring(workout(10, 100, { steps: 5 }));
  expect(withTraces()).toEqual([]);
  await bring(workout(10, 101));
  expect(withTraces()).toEqual([['W#', 'H#']]);
});
