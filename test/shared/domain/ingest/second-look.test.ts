import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { disconnectDevice } from '../../../../shared/domain/devices/devices.ts';
import { removeDevice } from '../../../../shared/domain/ingest/remove-device.ts';
import { subjectOf } from '../../../../shared/domain/users/subject.ts';
import { updateUser } from '../../../../shared/domain/users/users.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import type { Table } from '../../../../shared/engine/ports.ts';
import { dayRows } from '../../../../shared/store/days.ts';
import { type DeviceRow, deviceRows } from '../../../../shared/store/devices.ts';
import { scoreRunRows } from '../../../../shared/store/score-runs.ts';
import { saidOn, writeLate } from '../../../harness/late-writer.ts';
import { leavingOf, rezoningOf, waitingOf } from '../../../harness/waiting.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';
import { write } from '../../../harness/write-person.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

const halfAMinuteMs = 30_000;

/** Walked at 23:30 UTC, which is the next day in Tokyo. */
async function walker(): Promise<string> {
  const user = await shop.user({ timezone: 'UTC' });
  const walk = { metric: 'steps', start: '2026-03-10T23:30:00Z', value: 20, unit: 'count' };
  const device = { name: 'Watch', model: 'W1', type: 'wrist' };
  await shop.upload(user, 'apple_health', { time_zone: 'UTC', device, samples: [walk] });
  await write(shop.deps, user);
  return user;
}

const deviceOf = async (user: string): Promise<DeviceRow> => {
  const [device] = (await subjectOf(shop.deps, user))?.devices ?? [];
  if (!device) throw new Error('there is no device');
  return device;
};

test('a move is looked after once more when nobody who knew the old zone can be at work', async () => {
  const user = await walker();
  const before = await saidOn(shop, user, '2026-03-10');
  await updateUser(shop.deps, shop.caller, user, { timezone: 'Asia/Tokyo' });
  const sent = shop.sent.length;
  await write(shop.deps, user);
  expect(shop.sent.slice(sent)).toContainEqual({ queue: 'ingest', body: { user_id: user } });
  const moved = await saidOn(shop, user, '2026-03-10');

  await writeLate(shop, user, before);
  shop.clock.advance(workerLifeMs - halfAMinuteMs);
  await write(shop.deps, user);
  expect((await saidOn(shop, user, '2026-03-10')).packed).toEqual(before.packed);
  expect(await rezoningOf(shop.deps, user)).toBeDefined();

  shop.clock.advance(halfAMinuteMs);
  await write(shop.deps, user);
  expect((await saidOn(shop, user, '2026-03-10')).packed).toEqual(moved.packed);
  expect(await rezoningOf(shop.deps, user)).toBeUndefined();
});

test('a device that is gone is looked after once more when nobody who knew it can be at work', async () => {
  const user = await walker();
  const before = await saidOn(shop, user, '2026-03-10');
  const { id: device } = await deviceOf(user);
  await disconnectDevice(shop.deps, shop.caller, user, device);
  const sent = shop.sent.length;
  await write(shop.deps, user);
  expect(shop.sent.slice(sent)).toContainEqual({ queue: 'ingest', body: { user_id: user } });
  expect(await leavingOf(shop.deps, user)).toMatchObject({ status: 'removing' });
  const emptied = await saidOn(shop, user, '2026-03-10');

  await writeLate(shop, user, before);
  shop.clock.advance(workerLifeMs - halfAMinuteMs);
  await write(shop.deps, user);
  expect((await saidOn(shop, user, '2026-03-10')).packed).toEqual(before.packed);

  shop.clock.advance(halfAMinuteMs);
  await write(shop.deps, user);
  expect((await saidOn(shop, user, '2026-03-10')).packed).toEqual(emptied.packed);
  expect((await subjectOf(shop.deps, user))?.devices).toEqual([]);
  expect(await deviceRows(shop.deps.store).isGone(user, device)).toBe(true);
});

test('a removal that began before its second look was due does not count as one', async () => {
  const user = await walker();
  await disconnectDevice(shop.deps, shop.caller, user, (await deviceOf(user)).id);
  await write(shop.deps, user);
  const subject = await subjectOf(shop.deps, user);
  const { table } = shop.place;
  const slow: Table = {
    ...table,
    batchGet: (...asked) => {
      shop.clock.advance(workerLifeMs);
      return table.batchGet(...asked);
    },
  };
  if (!subject) throw new Error('there is no user');
  expect(await removeDevice(shop.over(slow), subject, await leavingOf(shop.deps, user))).toBe(true);
  expect(await leavingOf(shop.deps, user)).toMatchObject({ status: 'removing' });
});

const moves = (user: string) => updateUser(shop.deps, shop.caller, user, { timezone: 'Asia/Tokyo' });
const disconnects = async (user: string) => disconnectDevice(shop.deps, shop.caller, user, (await deviceOf(user)).id);
const askedScores = (user: string) => scoreRunRows(shop.deps.store).asked(user, 9);
async function answerScores(user: string): Promise<void> {
  const { store } = shop.deps;
  await store.commit((await askedScores(user)).map((ask) => scoreRunRows(store).answering(user, ask)));
}

describe.each([
  ['a move', moves, { from: '2026-03-10', to: '2026-03-11' }],
  ['a removal', disconnects, { from: '2026-03-10', to: '2026-03-10' }],
])('%s', (_what, happens, changed) => {
  test('wakes whoever looks after it once more when nobody who began before can be at work', async () => {
    const user = await walker();
    await happens(user);
    const delays: (number | undefined)[] = [];
    const queue: Deps['queue'] = {
      ...shop.deps.queue,
      send: async (name, _body, options) => void (name === 'ingest' && delays.push(options?.delaySeconds)),
    };
    await write({ ...shop.deps, queue }, user);
    expect(delays).toEqual([workerLifeMs / 1000]);
  });

  test('that is done after a worker died over it asks for the scores of what that one changed', async () => {
    const user = await walker();
    await answerScores(user);
    await happens(user);
    const { table } = shop.place;
    const dying: Table = {
      ...table,
      async transact(writes) {
        if (writes.some((write) => write.kind === 'update' && write.update.includes('#work')))
          throw new Error('killed');
        return table.transact(writes);
      },
    };
    await expect(write(shop.over(dying), user)).rejects.toThrow('killed');
    expect(await askedScores(user)).toEqual([]);
    await write(shop.deps, user);
    expect(await askedScores(user)).toMatchObject([changed]);
  });

  test('that is found well on the second look writes no day and asks for no scores', async () => {
    const user = await walker();
    await happens(user);
    await write(shop.deps, user);
    const dates = ['2026-03-10', '2026-03-11'];
    const days = await dayRows(shop.deps.store).normalizedOn(user, dates);
    await answerScores(user);
    shop.clock.advance(workerLifeMs);
    await write(shop.deps, user);
    expect(await waitingOf(shop.deps, user)).toEqual({ leaving: [], rezoning: undefined, batches: [] });
    expect(await dayRows(shop.deps.store).normalizedOn(user, dates)).toEqual(days);
    expect(await askedScores(user)).toEqual([]);
  });
});
