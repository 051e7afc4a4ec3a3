// Writes to a user's consolidation state apply only to the state that was read, and create none.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Table, TransactionCanceled, type Write } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { initialUserState, stateRows } from '../../../shared/users/state-rows.ts';
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
  const before = await states.get(user);
  await expect(make(write)).rejects.toThrow(TransactionCanceled);
  expect(await states.get(user)).toEqual(before);
};

test('no generation is marked as built for an erased user', async () => {
  await refused(states.buildMarkBuilt(user, { ...initialUserState, generation: 1 }));
  expect(await table.get(keys.state(user))).toBeUndefined();
});

test('each device number is assigned once', async () => {
  await make(states.buildTakeOrdinal(user, initialUserState));
  await refused(states.buildTakeOrdinal(user, initialUserState));
  const read = await states.get(user);
  await make(states.buildTakeOrdinal(user, read));
  await refused(states.buildTakeOrdinal(user, read));
  expect((await states.get(user)).nextOrdinal).toBe(2);
});

describe('settings', () => {
  const off = { methods: {}, disabled: ['steps'], disabledFor: {} };
  const on = { methods: {}, disabled: [], disabledFor: { weight: ['dev_a'] } };

  test('are stored with the next generation, the first and later ones', async () => {
    await make(states.buildUpdate(user, initialUserState, off));
    expect(await states.get(user)).toEqual({ ...initialUserState, settings: off, generation: 1 });
    await make(states.buildUpdate(user, await states.get(user), on));
    expect(await states.get(user)).toEqual({ ...initialUserState, settings: on, generation: 2 });
  });
  test('of two concurrent changes are stored once, and the other is refused', async () => {
    await make(states.buildUpdate(user, initialUserState, off));
    await refused(states.buildUpdate(user, initialUserState, on));
    const read = await states.get(user);
    await make(states.buildUpdate(user, read, on));
    await refused(states.buildUpdate(user, read, off));
  });
  test('keep the device numbers, including that of a device added in the meantime', async () => {
    await make(states.buildTakeOrdinal(user, initialUserState));
    const read = await states.get(user);
    await make(states.buildTakeOrdinal(user, read));
    await make(states.buildUpdate(user, read, off));
    expect(await states.get(user)).toEqual({ settings: off, generation: 1, builtGeneration: 0, nextOrdinal: 2 });
    await make(states.buildTakeOrdinal(user, await states.get(user)));
    expect(await states.get(user)).toMatchObject({ settings: off, nextOrdinal: 3 });
  });
  test('that change while days are built are not marked as built', async () => {
    await make(states.buildUpdate(user, initialUserState, off));
    const read = await states.get(user);
    await make(states.buildUpdate(user, read, on));
    await make(states.buildMarkBuilt(user, read));
    expect(await states.get(user)).toMatchObject({ settings: on, generation: 2, builtGeneration: 1 });
  });
});

test('a deletion that has not seen a device is refused', async () => {
  await make(states.buildNoNewDeviceCheck(user, initialUserState));
  await make(states.buildTakeOrdinal(user, initialUserState));
  await refused(states.buildNoNewDeviceCheck(user, initialUserState));
  const read = await states.get(user);
  await make(states.buildNoNewDeviceCheck(user, read));
  await make(states.buildTakeOrdinal(user, read));
  await refused(states.buildNoNewDeviceCheck(user, read));
});
