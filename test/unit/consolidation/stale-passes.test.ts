// A pass reads a user before newer data arrives and writes afterwards: the newer day stays, even if
// the pass then crashes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';

const date = '2026-03-10';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const uploadSteps = async (user: string, type: 'wrist' | 'phone', value: number) => {
  world.clock.advance(1_000);
  const provider = type === 'wrist' ? 'apple_health' : 'samsung_health';
  const daily = [{ date, metric: 'steps', value, unit: 'count' }];
  await world.upload(user, provider, { time_zone: 'UTC', device: { name: type, model: type, type }, daily });
  await runWriter(world.deps, user);
};
const setMethod = (user: string, method: 'max' | 'avg' | 'sum') =>
  patchConfiguration(world.deps, world.caller, user, { metrics: { steps: { method } } });
const stepsOf = async (user: string) => {
  const day = (await dayRows(world.deps.store).readCanonical(user, [date])).get(date);
  return day && decodeCanonicalDay(day.packed).get('steps')?.value;
};

async function createUserWithTwoDevices(): Promise<string> {
  const user = await world.user();
  await uploadSteps(user, 'wrist', 100);
  await uploadSteps(user, 'phone', 300);
  return user;
}

/** A worker that is delayed before its first canonical day, then writes it and crashes. */
function delayFirstDay(meanwhile: () => Promise<void>): Table {
  let isFinished = false;
  return {
    ...world.localTable.table,
    async write(write) {
      if (isFinished) throw new Error('killed');
      if (write.kind !== 'put' || !write.item.sk.startsWith('D#')) return world.localTable.table.write(write);
      isFinished = true;
      await meanwhile();
      return world.localTable.table.write(write);
    },
    async transact(writes) {
      if (isFinished) throw new Error('killed');
      return world.localTable.table.transact(writes);
    },
    async query(query) {
      if (isFinished) throw new Error('killed');
      return world.localTable.table.query(query);
    },
  };
}

test('an older rebuild does not overwrite a day that a newer upload has produced', async () => {
  const user = await createUserWithTwoDevices();
  await setMethod(user, 'max');
  const slow = runWriter(world.withTable(delayFirstDay(() => uploadSteps(user, 'phone', 500))), user);
  await expect(slow).rejects.toThrow('killed');
  expect(await stepsOf(user)).toBe(500);
});

test('an older rebuild does not overwrite a day that was produced with newer settings', async () => {
  const user = await createUserWithTwoDevices();
  await setMethod(user, 'max');
  const slow = runWriter(
    world.withTable(
      delayFirstDay(async () => {
        await setMethod(user, 'sum');
        await runWriter(world.deps, user);
      }),
    ),
    user,
  );
  await expect(slow).rejects.toThrow('killed');
  expect(await stepsOf(user)).toBe(400);
});
