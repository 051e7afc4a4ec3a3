// What is written of a user's consolidation holds only for the state as it was read, and makes none where there is none.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Table, TransactionRefused, type Write } from '../../../shared/engine/ports.ts';
import { keys } from '../../../shared/store/keys.ts';
import { newState, type StateRow, stateRows } from '../../../shared/store/states.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';
const progress = { generation: 1, through: null, announced: { metrics: [], from: null, to: null } };

let table: Table;
let states: ReturnType<typeof stateRows>;
beforeEach(() => {
  table = memoryTable();
  states = stateRows(storeOn(table));
});
const make = (...writes: Write[]) => table.transact(writes);
const refused = async (write: Write) => {
  const before = await states.of(user);
  await expect(make(write)).rejects.toThrow(TransactionRefused);
  expect(await states.of(user)).toEqual(before);
};

describe('of a user that was erased', () => {
  test('no progress is kept', async () => {
    await expect(states.advance(user, progress, 5_000)).rejects.toThrow();
    expect(await table.get(keys.state(user))).toBeUndefined();
  });
  test('no lease is taken or ended', async () => {
    expect(await states.release(user)).toBe(false);
    expect(await states.lease(user, 1_000, 5_000)).toBe(false);
    expect(await table.get(keys.state(user))).toBeUndefined();
  });
});

test('a device’s number is taken once, the first and those after it', async () => {
  await make(states.takingOrdinal(user, newState));
  await refused(states.takingOrdinal(user, newState));
  const read = await states.of(user);
  await make(states.takingOrdinal(user, read));
  await refused(states.takingOrdinal(user, read));
  expect((await states.of(user)).nextOrdinal).toBe(2);
});

describe('a rebuild', () => {
  let read: StateRow;
  beforeEach(async () => {
    await make(states.takingOrdinal(user, newState));
    await make(states.asking(user, await states.of(user), newState.settings, 1_000));
    expect(await states.lease(user, 1_000, 5_000)).toBe(true);
    read = await states.of(user);
  });

  test('is finished by whoever has the lease', async () => {
    await make(states.finishing(user, read, 0));
    expect(await states.of(user)).toMatchObject({ built: 1, claimedUntilMs: 0 });
  });
  test('is not finished by whoever lost the lease', async () => {
    expect(await states.lease(user, 5_000, 9_000)).toBe(true);
    await refused(states.finishing(user, read, 0));
  });
  test('is finished once', async () => {
    await make(states.finishing(user, read, read.claimedUntilMs));
    await refused(states.finishing(user, read, read.claimedUntilMs));
  });
  test('is not finished when a device came, or the settings changed', async () => {
    await make(states.takingOrdinal(user, read));
    await refused(states.finishing(user, read, 0));
    const now = await states.of(user);
    await make(states.asking(user, now, newState.settings, 2_000));
    await refused(states.finishing(user, now, 0));
  });
});

test('a deletion that has not seen a device is refused', async () => {
  await make(states.withoutNewDevices(user, newState));
  await make(states.takingOrdinal(user, newState));
  await refused(states.withoutNewDevices(user, newState));
  const read = await states.of(user);
  await make(states.withoutNewDevices(user, read));
  await make(states.takingOrdinal(user, read));
  await refused(states.withoutNewDevices(user, read));
});
