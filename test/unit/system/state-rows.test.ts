// What is written of a user's consolidation holds only for the state as it was read, and makes none where there is none.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Table, TransactionRefused, type Write } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { newState, stateRows } from '../../../shared/users/state-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';

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

test('of a user that was erased no generation is built', async () => {
  await refused(states.built(user, { ...newState, generation: 1 }));
  expect(await table.get(keys.state(user))).toBeUndefined();
});

test('a device’s number is taken once, the first and those after it', async () => {
  await make(states.takingOrdinal(user, newState));
  await refused(states.takingOrdinal(user, newState));
  const read = await states.of(user);
  await make(states.takingOrdinal(user, read));
  await refused(states.takingOrdinal(user, read));
  expect((await states.of(user)).nextOrdinal).toBe(2);
});

describe('settings', () => {
  const off = { methods: {}, off: ['steps'], offFor: {} };
  const on = { methods: {}, off: [], offFor: { weight: ['dev_a'] } };

  test('are stored with the next generation, the first and those after it', async () => {
    await make(states.changing(user, newState, off));
    expect(await states.of(user)).toEqual({ ...newState, settings: off, generation: 1 });
    await make(states.changing(user, await states.of(user), on));
    expect(await states.of(user)).toEqual({ ...newState, settings: on, generation: 2 });
  });
  test('of two who change them one is refused', async () => {
    await make(states.changing(user, newState, off));
    await refused(states.changing(user, newState, on));
    const read = await states.of(user);
    await make(states.changing(user, read, on));
    await refused(states.changing(user, read, off));
  });
  test('keep the numbers of devices, also of one that comes meanwhile', async () => {
    await make(states.takingOrdinal(user, newState));
    const read = await states.of(user);
    await make(states.takingOrdinal(user, read));
    await make(states.changing(user, read, off));
    expect(await states.of(user)).toEqual({ settings: off, generation: 1, built: 0, nextOrdinal: 2 });
    await make(states.takingOrdinal(user, await states.of(user)));
    expect(await states.of(user)).toMatchObject({ settings: off, nextOrdinal: 3 });
  });
  test('that changed while days were built are not taken for built', async () => {
    await make(states.changing(user, newState, off));
    const read = await states.of(user);
    await make(states.changing(user, read, on));
    await make(states.built(user, read));
    expect(await states.of(user)).toMatchObject({ settings: on, generation: 2, built: 1 });
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
