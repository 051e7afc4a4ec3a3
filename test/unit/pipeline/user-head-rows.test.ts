// Every read pays for the user head, so it holds nothing that is leaving or pending.
import { beforeEach, expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { decodeNormalizedDay } from '../../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { createRacedUser, type RacedUser, readPartition } from '../../harness/raced-user.ts';
import { phone, stepsUpload, tokyo, watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';

let user: RacedUser;
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), 'UTC');
  await user.upload(watch, stepsUpload('2026-03-10T20:00:00Z', 700));
  await user.upload(phone, stepsUpload('2026-03-10T21:00:00Z', 20));
  await user.settle();
});

const head = async (): Promise<string[]> =>
  (await readPartition(user.table, user.id)).map(({ sk }) => String(sk)).filter((sk) => sk.startsWith('@'));

async function stepsOn(date: string): Promise<(number | undefined)[]> {
  const day = (await dayRows(user.deps.store).readNormalized(user.id, [date])).get(date);
  return day ? [...decodeNormalizedDay(day.packed).values()].map((values) => values.get('steps')?.value) : [];
}

test('a device leaves the head as soon as it is disconnected, before its data is removed', async () => {
  const [leaves, stays] = [await user.deviceId(watch), await user.deviceId(phone)];
  await disconnectDevice(user.deps, user.caller, user.id, leaves);
  expect(await head()).toEqual([`@DEVICE#${stays}`, '@STATE', '@USER']);
  expect(await stepsOn('2026-03-10')).toEqual([700, 20]);
  await disconnectDevice(user.deps, user.caller, user.id, leaves);
  await user.settle();
  expect(await head()).toEqual([`@DEVICE#${stays}`, '@STATE', '@USER']);
  expect(await stepsOn('2026-03-10')).toEqual([20]);
  expect(await deviceRows(user.deps.store).isRemoved(user.id, leaves)).toBe(true);
});

test('a time-zone change is never in the head', async () => {
  const before = await head();
  await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
  expect(await head()).toEqual(before);
  await runWriter(user.deps, user.id);
  expect(await head()).toEqual(before);
  expect(await stepsOn('2026-03-11')).toEqual([700, 20]);
});
