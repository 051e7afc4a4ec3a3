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

let shop: EngineDomainWorld;
beforeAll(async () => {
  shop = await openEngineDomainWorld();
});
afterAll(() => shop.localTable.stop());

const say = async (user: string, type: 'wrist' | 'phone', value: number) => {
  shop.clock.advance(1_000);
  const provider = type === 'wrist' ? 'apple_health' : 'samsung_health';
  const daily = [{ date, metric: 'steps', value, unit: 'count' }];
  await shop.upload(user, provider, { time_zone: 'UTC', device: { name: type, model: type, type }, daily });
  await runWriter(shop.deps, user);
};
const choose = (user: string, method: 'max' | 'avg' | 'sum') =>
  patchConfiguration(shop.deps, shop.caller, user, { metrics: { steps: { method } } });
const stepsOf = async (user: string) => {
  const day = (await dayRows(shop.deps.store).readCanonical(user, [date])).get(date);
  return day && decodeCanonicalDay(day.packed).get('steps')?.value;
};

async function twoDevices(): Promise<string> {
  const user = await shop.user();
  await say(user, 'wrist', 100);
  await say(user, 'phone', 300);
  return user;
}

/** A worker that is delayed before its first canonical day, then writes it and crashes. */
function heldUp(meanwhile: () => Promise<void>): Table {
  let over = false;
  return {
    ...shop.localTable.table,
    async write(write) {
      if (over) throw new Error('killed');
      if (write.kind !== 'put' || !write.item.sk.startsWith('D#')) return shop.localTable.table.write(write);
      over = true;
      await meanwhile();
      return shop.localTable.table.write(write);
    },
    async transact(writes) {
      if (over) throw new Error('killed');
      return shop.localTable.table.transact(writes);
    },
    async query(query) {
      if (over) throw new Error('killed');
      return shop.localTable.table.query(query);
    },
  };
}

test('an older rebuild does not overwrite a day that a newer upload has produced', async () => {
  const user = await twoDevices();
  await choose(user, 'max');
  const slow = runWriter(shop.withTable(heldUp(() => say(user, 'phone', 500))), user);
  await expect(slow).rejects.toThrow('killed');
  expect(await stepsOf(user)).toBe(500);
});

test('an older rebuild does not overwrite a day that was produced with newer settings', async () => {
  const user = await twoDevices();
  await choose(user, 'max');
  const slow = runWriter(
    shop.withTable(
      heldUp(async () => {
        await choose(user, 'sum');
        await runWriter(shop.deps, user);
      }),
    ),
    user,
  );
  await expect(slow).rejects.toThrow('killed');
  expect(await stepsOf(user)).toBe(400);
});
