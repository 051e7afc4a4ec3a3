// A sandbox user with more days than fit the first step of its history.
import { beforeEach, describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { connectionRows } from '../../../shared/connections/connection-rows.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { seededBaselineRows } from '../../../shared/measurements/rows/seeded-baseline-rows.ts';
import { addDays, datesInRange, utcDay } from '../../../shared/platform/time/local-day.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { firstStepDays } from '../../../shared/sandbox/feed-days.ts';
import { feedSandbox } from '../../../shared/sandbox/feed-sandbox.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { listDevices } from '../../../shared/users/devices.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { seedRows } from '../../../shared/users/seed-rows.ts';
import { createUser } from '../../../shared/users/users.ts';
import { crashingTable, WorkerCrashed } from '../../harness/crashing-table.ts';
import { type DomainWorld, openDomainWorld } from '../../harness/domain-world.ts';
import { runWriterUntilIdle } from '../../harness/run-writer.ts';

let world: DomainWorld;
let caller: Caller;
beforeEach(async () => {
  world = await openDomainWorld();
  world.clock.advance(Date.UTC(2026, 2, 10, 12) - world.clock.now());
  caller = { ...world.caller, env: 'sandbox' };
});

const today = '2026-03-10';
const newUser = async (profile: Profile) => (await createUser(world.deps, caller, { profile })).id;
const datesBack = (days: number) => datesInRange(addDays(today, -days), today);
const seedMessages = () => world.sent.filter(({ queue }) => queue === 'seed').map(({ body }) => Object(body).user_id);

/** The dates on which both the phone and the ring reported. */
async function completeDates(user: string): Promise<string[]> {
  await runWriterUntilIdle(world.deps, user);
  const dates: string[] = [];
  for await (const { date, packed } of dayRows(world.deps.store).iterateCanonical(user, '0000-01-01', '9999-12-31')) {
    const day = decodeCanonicalDay(packed);
    if (day.has('flights_climbed') && day.has('resting_heart_rate')) dates.push(date);
  }
  return dates;
}

async function feedAllSteps(user: string): Promise<void> {
  for (let steps = 0; steps < 10; steps++) {
    await feedSandbox(world.deps, user);
    if ((await seedRows(world.deps.store).find(user))?.history === null) return;
  }
  throw new Error('the history never ends');
}

describe('a history of 45 days', () => {
  test('arrives newest first, ends at its first day, and needs no baseline', async () => {
    const user = await newUser({ sandbox_days: 45 });
    await feedSandbox(world.deps, user);
    expect(await completeDates(user)).toEqual(datesBack(firstStepDays - 1));
    expect(seedMessages()).toEqual([user, user]);
    await feedSandbox(world.deps, user);
    expect(await completeDates(user)).toEqual(datesBack(45));
    expect(seedMessages()).toEqual([user, user]);
    expect(await seededBaselineRows(world.deps.store).get(user)).toEqual(new Map());
    expect(await seedRows(world.deps.store).find(user)).toMatchObject({ history: null, nextMs: expect.any(Number) });
  });

  test('takes turns with other users', async () => {
    const [long, short] = [await newUser({ sandbox_days: 366 }), await newUser({})];
    expect(seedMessages()).toEqual([long, short]);
    await feedSandbox(world.deps, long);
    expect(seedMessages()).toEqual([long, short, long]);
  });

  test('is completed after a worker crashed at one of its writes, also when the message is lost', async () => {
    for (const at of [1, 3, 6]) {
      const user = await newUser({ sandbox_days: 45 });
      await feedSandbox(world.deps, user);
      const { table } = crashingTable(world.localTable.table, { at, applied: at % 2 === 0 });
      await expect(feedSandbox(world.withTable(table), user)).rejects.toThrow(WorkerCrashed);
      const sentBefore = seedMessages().filter((id) => id === user).length;
      world.clock.advance(workerWriteDeadlineMs);
      await sweepWorker(world.deps)();
      expect([at, seedMessages().filter((id) => id === user).length]).toEqual([at, sentBefore + 1]);
      await feedAllSteps(user);
      expect([at, (await completeDates(user)).length]).toEqual([at, 46]);
    }
  });

  test('stops when the user is deleted in between, and leaves nothing', async () => {
    const user = await newUser({ sandbox_days: 45 });
    await feedSandbox(world.deps, user);
    await deleteUser(world.deps, caller, user);
    await feedSandbox(world.deps, user);
    await eraseUser(world.deps, user);
    await feedSandbox(world.deps, user);
    world.clock.advance(workerWriteDeadlineMs);
    await eraseUser(world.deps, user);
    await feedSandbox(world.deps, user);
    const { items } = await world.localTable.table.query({ where: '#pk = :pk', values: { pk: userPartition(user) } });
    expect(items).toEqual([]);
  });

  test('ends with the ring alone when the phone is disconnected in between', async () => {
    const user = await newUser({ sandbox_days: 45 });
    await feedSandbox(world.deps, user);
    const phone = (await listDevices(world.deps, caller, user)).find(({ provider }) => provider === 'apple_health');
    await disconnectDevice(world.deps, caller, user, phone?.id ?? '');
    await feedAllSteps(user);
    await runWriterUntilIdle(world.deps, user);
    const [ring] = await connectionRows(world.deps.store).listByUser(user);
    const device = (await listDevices(world.deps, caller, user)).find(({ id }) => id === ring?.device);
    expect(device?.sync).toMatchObject({ state: 'current' });
  });
});

describe('the persona', () => {
  test.each([
    [{ sandbox_persona: 'new_user', sandbox_days: 90 }, 3],
    [{ sandbox_persona: 'ill', sandbox_days: 10 }, 21],
    [{ sandbox_persona: 'device_swap', sandbox_days: 25 }, 25],
    [{ sandbox_days: 34 }, 34],
  ] as const)('%j has %i whole days', async (profile, days) => {
    const user = await newUser(profile);
    await feedAllSteps(user);
    expect(await completeDates(user)).toEqual(datesBack(days));
    expect(utcDay(world.clock.now())).toBe(today);
    const hasBaseline = (await seededBaselineRows(world.deps.store).get(user)).size > 0;
    expect(hasBaseline).toBe(!('sandbox_persona' in profile));
  });
});
