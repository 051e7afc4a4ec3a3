import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { feedSandbox } from '../../../shared/sandbox/feed-sandbox.ts';
import { listSandboxDates } from '../../../shared/sandbox/life/sandbox-day.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { keys, userPartition } from '../../../shared/system/keys.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { listDevices } from '../../../shared/users/devices.ts';
import { seedRows } from '../../../shared/users/seed-rows.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { feedAll, syncAll } from '../../harness/sandbox-feed.ts';
import { daysOf, feedADay, hourMs, moveToNoon, sentFor } from './feed-a-day.ts';

let world: EngineDomainWorld;
let caller: Caller;
beforeAll(async () => {
  world = await openEngineDomainWorld();
  moveToNoon(world);
  caller = { ...world.caller, env: 'sandbox' };
});
afterAll(() => world.localTable.stop());

const newUser = async (body: object = {}) => (await createUser(world.deps, caller, body)).id;
const feedUser = (user: string) => feedAll(world.deps, user);
const days = (user: string) => daysOf(world, user);
const sent = (user: string) => sentFor(world, user, 'seed');

describe('a new sandbox user', () => {
  test('has its first week as pending work in the transaction that creates it, and a lost message is recovered', async () => {
    const user = await newUser();
    expect(sent(user)).toBe(1);
    await sweepWorker(world.deps)();
    expect(sent(user)).toBe(1);
    world.clock.advance(61_000);
    await sweepWorker(world.deps)();
    expect(sent(user)).toBe(2);
    await feedUser(user);
    world.clock.advance(61_000);
    await sweepWorker(world.deps)();
    expect(sent(user)).toBe(2);
  });

  test('has seven complete days, today and two devices, however often and concurrently the message arrives', async () => {
    const user = await newUser({ timezone: 'Asia/Kolkata' });
    await Promise.all([feedSandbox(world.deps, user), feedSandbox(world.deps, user), feedSandbox(world.deps, user)]);
    await Promise.all([runWriter(world.deps, user), syncAll(world.deps, user)]);
    await runWriter(world.deps, user);
    const life = { userId: user, persona: 'average', timezone: 'Asia/Kolkata' } as const;
    expect([...(await days(user)).keys()]).toEqual(listSandboxDates(life, null, world.clock.now()));
    expect((await days(user)).size).toBe(8);
    const devices = await listDevices(world.deps, caller, user);
    expect(devices.map(({ provider, status }) => [provider, status]).sort()).toEqual([
      ['apple_health', 'active'],
      ['oura', 'active'],
    ]);
    const before = (await world.events()).length;
    await feedUser(user);
    expect((await world.events()).length).toBe(before);
  });

  test('gets its devices created once', async () => {
    const user = await newUser();
    await feedUser(user);
    const stored = await world.localTable.table.get(keys.seed(user));
    expect(Object.keys(Object(stored?.['devices'])).sort()).toEqual(['phone', 'ring']);
    world.clock.advance(2 * hourMs);
    await feedUser(user);
    expect(await listDevices(world.deps, caller, user)).toHaveLength(2);
  });

  test('is fed a later watch with the other devices, and the watch stays when the ring is disconnected', async () => {
    const user = await newUser({ profile: { sandbox_persona: 'device_swap' } });
    await Promise.all([feedSandbox(world.deps, user), feedSandbox(world.deps, user)]);
    await syncAll(world.deps, user);
    const devices = await listDevices(world.deps, caller, user);
    expect(devices.map(({ provider }) => provider).sort()).toEqual(['apple_health', 'garmin', 'oura']);
    for (const { last_sync_at } of devices) expect(last_sync_at).not.toBeNull();
    const today = [...(await days(user)).keys()].at(-1) ?? '';
    for (const { id, provider } of devices)
      if (provider !== 'garmin') await disconnectDevice(world.deps, caller, user, id);
    world.clock.advance(24 * hourMs);
    await feedUser(user);
    const left = await days(user);
    expect([...left.keys()].at(-1)).toBe(addDays(today, 1));
    expect(left.get(addDays(today, 1))).toHaveProperty('resting_heart_rate');
    expect(left.get(addDays(today, -4)) ?? {}).not.toHaveProperty('resting_heart_rate');
    expect((await seedRows(world.deps.store).find(user))?.nextMs).not.toBeNull();
  });

  test('is fed in the sandbox environment only', async () => {
    const user = await world.user();
    expect(sent(user)).toBe(0);
    await feedUser(user);
    expect((await days(user)).size).toBe(0);
    expect(await listDevices(world.deps, world.caller, user)).toEqual([]);
  });
});

describe('as time passes', () => {
  test('the next hour is fed when it is due and not before, and a finished day is completed', () =>
    feedADay(world, caller, [1, 12, 12]));

  test('after a long silence, the phone catches up on a week and today, and no more', async () => {
    const user = await newUser();
    await feedUser(user);
    const before = [...(await days(user)).keys()];
    world.clock.advance(30 * 24 * hourMs);
    await feedUser(user);
    const byPhone = [...(await days(user))].filter(([, values]) => values['dietary_energy'] !== undefined);
    const after = byPhone.map(([date]) => date).filter((date) => !before.includes(date));
    expect(after).toHaveLength(8);
    expect(after.at(-1)).toBe(new Date(world.clock.now()).toISOString().slice(0, 10));
  });

  test('a disconnected ring is neither fed nor created again, and without the phone nothing is due any more', async () => {
    const user = await newUser();
    await feedUser(user);
    const device = async (provider: string) =>
      (await listDevices(world.deps, caller, user)).find((each) => each.provider === provider)?.id ?? '';
    await disconnectDevice(world.deps, caller, user, await device('oura'));
    await runWriter(world.deps, user);
    world.clock.advance(24 * hourMs);
    await feedUser(user);
    expect((await listDevices(world.deps, caller, user)).map(({ provider }) => provider)).toEqual(['apple_health']);
    for (const values of (await days(user)).values()) {
      expect(values).not.toHaveProperty('resting_heart_rate');
      expect(values).toHaveProperty('resting_energy');
    }
    await disconnectDevice(world.deps, caller, user, await device('apple_health'));
    await runWriter(world.deps, user);
    world.clock.advance(24 * hourMs);
    await feedUser(user);
    expect([...(await days(user)).values()].filter((values) => Object.keys(values).length > 0)).toEqual([]);
    expect((await seedRows(world.deps.store).find(user))?.nextMs).toBeNull();
    const sentBefore = sent(user);
    world.clock.advance(24 * hourMs);
    await wakeDue(world.deps, 'sandbox');
    expect(sent(user)).toBe(sentBefore);
  });

  test('a deleted user is not fed, and the feed state is erased with the user', async () => {
    const user = await newUser();
    await feedUser(user);
    await deleteUser(world.deps, caller, user);
    world.clock.advance(2 * hourMs);
    await feedUser(user);
    await eraseUser(world.deps, user);
    world.clock.advance(workerWriteDeadlineMs);
    await eraseUser(world.deps, user);
    await feedUser(user);
    const left = await world.localTable.table.query({ where: '#pk = :pk', values: { pk: userPartition(user) } });
    expect(left.items).toEqual([]);
  });
});
