// A profile without a time zone takes the first one that a phone names: once, and never over a
// caller's zone.
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { acceptRecords } from '../../../shared/pipeline/accept-records.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { toRawUpload } from '../../../shared/providers/phone/format.ts';
import { keys } from '../../../shared/system/keys.ts';
import { findOrCreateDevice } from '../../../shared/users/devices.ts';
import { fillTimeZone } from '../../../shared/users/fill-time-zone.ts';
import {
  readUserContext,
  readUserContextIncludingUnshared,
  type UserContext,
} from '../../../shared/users/user-context.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type DomainWorld, openDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { uploadBody } from '../../harness/upload-body.ts';

const [berlin, tokyo, losAngeles] = ['Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles'];
const device = { name: 'Watch', model: 'W1', type: 'wrist' };
/** The night ends on the 11th in Tokyo. */
const night = { start: '2026-03-10T15:00:00Z', end: '2026-03-10T23:30:00Z', asleep_minutes: 400 };

let world: DomainWorld;
beforeAll(async () => {
  world = await openDomainWorld();
});
beforeEach(() => {
  world.clock.advance(1_000);
  world.sent.length = 0;
});

const upload = (user: string, time_zone: string, more: object = {}, own = world) =>
  own.upload(user, 'apple_health', { time_zone, device, sleep: [night], ...more });
/** Uploads as a provider does, without a zone. */
async function bring(user: string): Promise<void> {
  const ring = { provider: 'oura', connection: 'cloud', deviceType: 'ring', model: 'Oura', name: null } as const;
  const found = await findOrCreateDevice(world.deps, user, ring);
  if (!found) throw new Error('the user does not exist');
  const raw = toRawUpload(uploadBody({ sleep: [night] }));
  await acceptRecords(world.deps, user, world.clock.now(), [
    { device: found.device, raw, scopes: MobileScope.options },
  ]);
}
const zoneOf = async (user: string) => {
  const row = await userRows(world.deps.store).findById(user);
  return [row?.timezone, row?.timezoneSource];
};
const isRebuildDue = async (user: string) =>
  (await world.localTable.table.get(keys.coalescedCommand(user, 'recount'))) !== undefined;
async function nightsOf(user: string): Promise<string[]> {
  const dates: string[] = [];
  for await (const { date, sessions } of sessionRows(world.deps.store).sleep.iterateAll(user))
    dates.push(...sessions.map(() => date));
  return dates;
}
async function read(user: string): Promise<UserContext> {
  const context = await readUserContext(world.deps, user);
  if (!context) throw new Error('the user does not exist');
  return context;
}
const fill = async (user: string, name: string) => fillTimeZone(world.deps, (await read(user)).user, name);
async function settle(user: string): Promise<void> {
  await runWriter(world.deps, user);
  world.clock.advance(workerWriteDeadlineMs);
  await runWriter(world.deps, user);
}

describe('a phone that names a zone', () => {
  test('fills in the profile before its upload is processed, and a later phone does not', async () => {
    const user = await world.user();
    await upload(user, tokyo);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    await runWriter(world.deps, user);
    expect(await nightsOf(user)).toEqual(['2026-03-11']);
    await upload(user, losAngeles, { device: { ...device, model: 'W2' } });
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
  });

  test.each([losAngeles, 'UTC'])('never replaces %s, which a caller has set', async (timezone) => {
    const user = await world.user({ timezone });
    await upload(user, tokyo);
    expect(await zoneOf(user)).toEqual([timezone, 'caller']);
  });

  test('fills in a profile whose zone a caller has cleared, and the days follow as after a change', async () => {
    const user = await world.user({ timezone: 'UTC' });
    await upload(user, 'UTC');
    await settle(user);
    await updateUser(world.deps, world.caller, user, { timezone: null });
    await settle(user);
    expect(await nightsOf(user)).toEqual(['2026-03-10']);
    world.sent.length = 0;
    await fill(user, tokyo);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    expect(world.sent).toEqual([{ queue: 'user', body: { user_id: user, wake: 0 } }]);
    await settle(user);
    expect([await nightsOf(user), await isRebuildDue(user)]).toEqual([['2026-03-11'], false]);
  });

  test('no longer counts as the source once the caller sets the same zone', async () => {
    const user = await world.user();
    await upload(user, tokyo);
    const zoneSetting = await updateUser(world.deps, world.caller, user, { timezone: tokyo });
    expect([zoneSetting.timezone, zoneSetting.timezone_source]).toEqual([tokyo, 'caller']);
    expect(await isRebuildDue(user)).toBe(false);
  });
});

test('a first upload costs one more write unit, and everything after it costs the same', async () => {
  const calls: { readUnits: number; writeUnits: number }[] = [];
  const own = await openEngineDomainWorld((call) => calls.push(call));
  const costOf = async (work: () => Promise<void>) => {
    calls.length = 0;
    await work();
    return {
      calls: calls.length,
      read: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
      write: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    };
  };
  const costsOf = async (user: string) => ({
    first: await costOf(() => upload(user, tokyo, {}, own)),
    work: await costOf(() => runWriter(own.deps, user)),
    second: await costOf(() => upload(user, tokyo, { sleep: [{ ...night, asleep_minutes: 401 }] }, own)),
  });
  const withZone = await costsOf(await own.user({ timezone: tokyo }));
  const { first, ...after } = await costsOf(await own.user());
  await own.localTable.stop();
  expect(first).toEqual({
    calls: withZone.first.calls + 1,
    read: withZone.first.read,
    write: withZone.first.write + 1,
  });
  expect(after).toEqual({ work: withZone.work, second: withZone.second });
});

describe('data that arrived without a zone follows the zone that is filled in', () => {
  test('while it waits to be processed, without building a day twice', async () => {
    const user = await world.user();
    await bring(user);
    await fill(user, tokyo);
    expect(await isRebuildDue(user)).toBe(false);
    await settle(user);
    expect(await nightsOf(user)).toEqual(['2026-03-11']);
  });

  test('when it was processed since the user was read', async () => {
    const user = await world.user();
    const before = await read(user);
    await bring(user);
    await runWriter(world.deps, user);
    expect(await nightsOf(user)).toEqual(['2026-03-10']);
    await fillTimeZone(world.deps, before.user, tokyo);
    await settle(user);
    expect(await nightsOf(user)).toEqual(['2026-03-11']);
  });
});

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

test('an invalid zone name is ignored', async () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const zoneSetting = fc.oneof(
    zone,
    zone.map((name) => `(GMT+00:00) ${name}`),
    fc.string(),
    fc.constantFrom('', 'UTC', 'EST', '+02:00', 'GMT+2', 'Etc/Unknown', 'Europe/Berlin ', '__proto__'),
  );
  await fc.assert(
    fc.asyncProperty(zoneSetting, async (name) => {
      const user = await world.user();
      await fill(user, name);
      expect(await zoneOf(user)).toEqual(isZone(name) ? [name, 'device'] : [null, 'caller']);
    }),
    { numRuns: 100 },
  );
});

describe('concurrently', () => {
  test('one of eight zones is filled in', async () => {
    const user = await world.user();
    const before = await read(user);
    const zones = [
      berlin,
      tokyo,
      losAngeles,
      'Asia/Kolkata',
      'Africa/Cairo',
      'America/Lima',
      'Asia/Dubai',
      'Etc/GMT-3',
    ];
    const seen = await Promise.all(zones.map((zone) => fillTimeZone(world.deps, before.user, zone)));
    const [zone] = await zoneOf(user);
    expect(zones).toContain(zone);
    expect(new Set(seen.map(({ timezone }) => timezone))).toEqual(new Set([zone]));
    expect((await userRows(world.deps.store).findById(user))?.revision).toBe(1);
  });

  test('a caller’s zone wins in any order', async () => {
    for (const _ of oneTo(4)) {
      const user = await world.user();
      await Promise.all([
        updateUser(world.deps, world.caller, user, { timezone: losAngeles }),
        upload(user, tokyo),
        fill(user, berlin),
      ]);
      expect(await zoneOf(user)).toEqual([losAngeles, 'caller']);
    }
  });

  test('another update of the user does not prevent the fill, and is stored', async () => {
    const user = await world.user();
    const before = await read(user);
    await updateUser(world.deps, world.caller, user, { profile: { weight_kg: 61 } });
    await fillTimeZone(world.deps, before.user, tokyo);
    expect(await userRows(world.deps.store).findById(user)).toMatchObject({
      timezone: tokyo,
      profile: { weight_kg: 61 },
    });
  });

  test('a user who stops sharing gets no zone', async () => {
    const user = await world.user();
    const before = await read(user);
    const unshared = { sinceMs: world.clock.now(), emailHash: 'a hash' };
    await world.deps.store.commit([userRows(world.deps.store).buildUnshare(before.user, unshared)]);
    const now = await readUserContextIncludingUnshared(world.deps, user);
    for (const { user: known } of [before, now ?? before]) await fillTimeZone(world.deps, known, tokyo);
    expect(await userRows(world.deps.store).findById(user)).toMatchObject({ status: 'unshared', timezone: null });
  });

  test('a user who is being deleted gets no zone', async () => {
    const user = await world.user();
    const before = await read(user);
    await deleteUser(world.deps, world.caller, user);
    await fillTimeZone(world.deps, before.user, tokyo);
    expect(await userRows(world.deps.store).findById(user)).toMatchObject({ status: 'deleting', timezone: null });
  });
});
