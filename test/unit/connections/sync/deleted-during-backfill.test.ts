import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../../shared/erasure/erase-user.ts';
import { decodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../../shared/measurements/rows/day-rows.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { findLeftovers } from '../../../harness/erasure/erasure-checks.ts';
import { readEvents } from '../../../harness/outbox.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const nights = ['2026-03-12', '2026-02-20', '2026-01-10', '2025-11-05', '2025-09-20'];
const mostAnswers = 200;
/** A window takes seven answers: every one of them is come upon. */
const step = 4;

/** Something happens while the vendor gives its n-th answer, with what came before worked in; false when there are fewer. */
async function midway(world: SyncWorld, user: string, at: number, happens: () => Promise<unknown>): Promise<boolean> {
  let answers = 0;
  world.fakeProvider.beforeReply = async () => {
    answers += 1;
    if (answers !== at) return;
    await runWriter(world.deps, user);
    await happens();
  };
  await world.processQueue();
  world.fakeProvider.beforeReply = async () => {};
  return answers >= at;
}

async function connecting() {
  const world = syncWorld();
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: nights.map((day) => ouraNight(`n-${day}`, day)) });
  return { world, user, device: await world.connect(user, 'ann') };
}

/** Days may stand empty; whatever else is of the device goes. */
async function remains(world: SyncWorld, user: string) {
  const own = world.table.rows().filter(({ pk }) => pk === userPartition(user));
  const values: string[] = [];
  for await (const { date, packed } of dayRows(world.deps.store).iterateCanonical(user, '2025-01-01', '2026-12-31'))
    for (const metric of decodeCanonicalDay(packed).keys()) values.push(`${date} ${metric}`);
  const rows = own.map(({ sk }) => String(sk)).filter((sk) => /^[BCLRTW]/.test(sk));
  return { nights: await world.nights(user), values, rows };
}

test('a user who is deleted at any answer of a backfill leaves nothing, and nothing is told of them afterwards', async () => {
  for (let at = 1; at < mostAnswers; at += step) {
    const { world, user, device } = await connecting();
    const names = [user, device].flatMap((id) => [id, id.slice(4)]);
    const came = await midway(world, user, at, async () => {
      await deleteUser(world.deps, world.caller, user);
      await eraseUser(world.deps, user);
    });
    if (!came) return expect(at).toBeGreaterThan(40);
    for (let i = 0; i < 4; i++) {
      await world.passTime(minutes(1));
      await eraseUser(world.deps, user);
    }
    expect(findLeftovers(world.table.rows(), names), `deleted at answer ${at}`).toEqual([]);
    const told = readEvents(world.table.rows());
    expect(told.at(-1)?.type, `deleted at answer ${at}`).toBe('user.deleted');
  }
  throw new Error('there was no end of answers');
});

test('a device that is disconnected at any answer of a backfill leaves nothing of what it brought, and tells it once', async () => {
  for (let at = 1; at < mostAnswers; at += step) {
    const { world, user, device } = await connecting();
    const came = await midway(world, user, at, () => disconnectDevice(world.deps, world.caller, user, device));
    if (!came) return expect(at).toBeGreaterThan(40);
    for (let i = 0; i < 5; i++) await world.passTime(minutes(1));
    const left = await remains(world, user);
    expect(left, `disconnected at answer ${at}`).toEqual({ nights: [], values: [], rows: [] });
    expect(await listDevices(world.deps, world.caller, user)).toEqual([]);
    expect(world.events('device.disconnected')).toHaveLength(1);
  }
  throw new Error('there was no end of answers');
});
