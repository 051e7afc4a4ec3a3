// A provider that names a time zone sets it on a profile without one, before its data is processed.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { acceptRecords } from '../../../shared/pipeline/accept-records.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { type ProviderPage, toRawPages } from '../../../shared/providers/kit/provider-pages.ts';
import { keys } from '../../../shared/system/keys.ts';
import { findOrCreateDevice } from '../../../shared/users/devices.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type DomainWorld, openDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';

const tokyo = 'Asia/Tokyo';
let world: DomainWorld;
beforeAll(async () => {
  world = await openDomainWorld();
});
beforeEach(() => world.clock.advance(1_000));

async function bring(user: string, provider: 'withings' | 'strava', ...pages: ProviderPage[]): Promise<void> {
  world.clock.advance(1_000);
  const about = { provider, connection: 'cloud', deviceType: 'scale', model: provider, name: null } as const;
  const found = await findOrCreateDevice(world.deps, user, about);
  if (!found) throw new Error('the user does not exist');
  const raw = toRawPages({ source: provider, format: 1, timeZone: null }, { requested: null, pages }, '2026-03-11');
  await acceptRecords(world.deps, user, world.clock.now(), [{ device: found.device, raw, scopes: [] }]);
}
async function settle(user: string): Promise<void> {
  await runWriter(world.deps, user);
  world.clock.advance(workerWriteDeadlineMs);
  await runWriter(world.deps, user);
}
const zoneOf = async (user: string) => {
  const row = await userRows(world.deps.store).findById(user);
  return [row?.timezone, row?.timezoneSource];
};
const isRebuildDue = async (user: string) =>
  (await world.localTable.table.get(keys.coalescedCommand(user, 'recount'))) !== undefined;
async function datesOf(user: string, kind: 'sleep' | 'workouts'): Promise<string[]> {
  const dates: string[] = [];
  for await (const { date, sessions } of sessionRows(world.deps.store)[kind].iterateAll(user))
    dates.push(...sessions.map(() => date));
  return dates;
}

const page = (resource: string, body: object): ProviderPage => ({
  resource,
  text: JSON.stringify({ status: 0, body }),
});
/** Ends at 23:30 UTC on the 10th, which is the 11th in Tokyo. It names no zone. */
const night = (id: number) =>
  page('sleep', { series: [{ id, startdate: 1773154800, enddate: 1773185400 - id, data: {} }] });
const steps = (timezone: string, date = '2026-03-10') =>
  page('activity', { activities: [{ date, timezone, steps: 4000 }] });
const run = (timezone: string): ProviderPage => ({
  resource: 'activities',
  text: JSON.stringify([
    { id: 1, sport_type: 'Run', start_date: '2026-03-10T22:00:00Z', elapsed_time: 1800, utc_offset: null, timezone },
  ]),
});

describe('a provider that names a zone', () => {
  test('with its first data has no day built twice (Withings)', async () => {
    const user = await world.user();
    await bring(user, 'withings', night(1), steps(tokyo));
    await runWriter(world.deps, user);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    expect([await datesOf(user, 'sleep'), await isRebuildDue(user)]).toEqual([['2026-03-11'], false]);
  });

  test('after the offset is understood (Strava)', async () => {
    const user = await world.user();
    await bring(user, 'strava', run('(GMT+09:00) Asia/Tokyo'));
    await runWriter(world.deps, user);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    expect(await datesOf(user, 'workouts')).toEqual(['2026-03-11']);
  });

  test.each([
    ['it', 'withings'],
    ['another', 'strava'],
  ] as const)('also moves the days of earlier data from %s', async (_who, provider) => {
    const user = await world.user();
    await bring(user, 'withings', night(1));
    await settle(user);
    expect(await datesOf(user, 'sleep')).toEqual(['2026-03-10']);
    const named = provider === 'strava' ? run('(GMT+09:00) Asia/Tokyo') : steps(tokyo);
    await bring(user, provider, named);
    await settle(user);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    expect([await datesOf(user, 'sleep'), await isRebuildDue(user)]).toEqual([['2026-03-11'], false]);
  });

  test('sets the zone of the latest pending data, once', async () => {
    const user = await world.user();
    await bring(user, 'withings', night(1));
    await bring(user, 'withings', steps('Europe/Paris'));
    await bring(user, 'withings', night(2), steps(tokyo));
    // A history arrives newest first.
    await bring(user, 'withings', steps('Europe/Rome', '2026-03-01'));
    await settle(user);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    expect(await datesOf(user, 'sleep')).toEqual(['2026-03-11', '2026-03-11']);
    await bring(user, 'withings', steps('Europe/Paris'));
    await settle(user);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
  });

  test('sets no zone for a user who has stopped sharing: pending data is processed without one', async () => {
    const user = await world.user();
    await bring(user, 'withings', night(1), steps(tokyo));
    const row = await userRows(world.deps.store).findById(user);
    if (!row) throw new Error('the user does not exist');
    const unshared = { sinceMs: world.clock.now(), emailHash: 'a hash' };
    await world.deps.store.commit([userRows(world.deps.store).buildUnshare(row, unshared)]);
    await runWriter(world.deps, user);
    expect(await zoneOf(user)).toEqual([null, 'caller']);
    expect(await datesOf(user, 'sleep')).toEqual(['2026-03-10']);
  });

  test('never replaces a zone set by a caller, and sets one again after it was cleared', async () => {
    const user = await world.user({ timezone: 'UTC' });
    await bring(user, 'withings', night(1), steps(tokyo));
    await settle(user);
    expect(await zoneOf(user)).toEqual(['UTC', 'caller']);
    await updateUser(world.deps, world.caller, user, { timezone: null });
    await bring(user, 'withings', night(2), steps(tokyo));
    await settle(user);
    expect(await zoneOf(user)).toEqual([tokyo, 'device']);
    expect(await datesOf(user, 'sleep')).toEqual(['2026-03-11', '2026-03-11']);
  });
});
