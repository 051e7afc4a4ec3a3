// Brings a sandbox user its data, the way real data come: its past when it is new, then what has happened since, every hour.

import { metricIds } from '../catalog/metrics.ts';
import { MobileScope } from '../catalog/mobile-scopes.ts';
import type { CloudProviderId } from '../catalog/provider.ts';
import type { SandboxDevice } from '../catalog/sandbox.ts';
import { forget } from '../connections/connect/begin.ts';
import { connectWithCode } from '../connections/connect/connect-with-code.ts';
import { connectionRows } from '../connections/connection-rows.ts';
import { syncConnection } from '../connections/sync/sync-connection.ts';
import type { CanonicalDay } from '../measurements/codec/canonical-day.ts';
import { seededBaselineRows } from '../measurements/rows/seeded-baseline-rows.ts';
import { acceptRecords } from '../pipeline/accept-records.ts';
import { workerLifeMs } from '../platform/worker-life.ts';
import { countOf, rawUpload } from '../providers/phone/format.ts';
import { reachDays } from '../scores/day-scores.ts';
import type { Deps } from '../system/deps.ts';
import { conditionalCommit } from '../system/store.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { findOrCreateDevice } from '../users/devices.ts';
import { type SeedRow, seedRows } from '../users/seed-rows.ts';
import { activeDevices, type Subject, subjectOf } from '../users/subject.ts';
import { userRows } from '../users/user-rows.ts';
import { devicesOf, sandboxDevices } from './life/devices.ts';
import { holdingBack } from './life/holding-back.ts';
import { accountOfLife } from './provider-server/account.ts';
import { openCloud } from './provider-server/open-cloud.ts';
import { sendNews } from './vendor-news.ts';

const feedEveryMs = 3_600_000;

/** The vendors that the worn ones are connected to; the phone uploads by itself. */
const vendorOf: Readonly<Partial<Record<SandboxDevice, CloudProviderId>>> = { ring: 'oura', watch: 'garmin' };

/** A message for a user that is not due, is being fed, or is gone, does nothing. */
export async function feedSandbox(given: Deps, userId: string): Promise<void> {
  const now = given.clock.now();
  const { deps, release } = holdingBack(given);
  const known = await seedRows(deps.store).of(userId);
  if (!known || known.nextMs === null || known.nextMs > now) return;
  const claimed = await seedRows(deps.store).claim(userId, now, now + workerLifeMs);
  if (!claimed) return;
  const isFirst = claimed.seed.devices === null;
  if (claimed.isAgain && isFirst) await forgetHalfMade(deps, userId);
  const devices = claimed.seed.devices ?? (await makeDevices(deps, userId, claimed.seed));
  // Connecting a device has put it forward.
  const seed = claimed.seed.devices ? claimed.seed : await seedRows(deps.store).of(userId);
  const subject = await subjectOf(deps, userId);
  if (!devices || !subject || !seed) return;

  const active = activeDevices(subject.devices);
  const connections = (await connectionRows(deps.store).ofUser(userId)).filter(
    ({ device, status }) => status === 'active' && active.some(({ id }) => id === device),
  );
  const uploader = active.find(({ id }) => id === devices.phone);
  if (!uploader && connections.length === 0) {
    await seedRows(deps.store).end(userId, seed, { ...seed, devices });
    return;
  }
  // Before there is anything to score.
  if (isFirst) await storeBaseline(deps, subject, seed, devices, now);
  if (uploader) await upload(deps, userId, seed, uploader, now);
  for (const connection of connections) await sendNews(deps, connection, seed.pushedMs[connection.device]);
  // A new user's past is fetched here and now: days are then made, and scored, once, instead of window by window. The messages to
  // its connections are held back meanwhile; where the schedule sends one all the same, the fence lets one of both runs commit.
  if (isFirst) for (const { device } of connections) await syncConnection(deps, userId, device);
  const pushedMs = Object.fromEntries(connections.map(({ device }) => [device, now]));
  await seedRows(deps.store).fed(userId, seed, { ...seed, devices, fedMs: now, nextMs: now + feedEveryMs, pushedMs });
  // Nobody is to be woken for what was just done.
  await release('seed');
}

async function upload(
  deps: Deps,
  userId: string,
  { persona, zone, fedMs }: SeedRow,
  device: DeviceRow,
  now: number,
): Promise<void> {
  const life = { userId, persona, timezone: zone };
  const { phone: records } = (await openCloud(deps)).uploads(life, fedMs, now);
  if (countOf(records) === 0) return;
  await acceptRecords(deps, userId, now, [{ device, raw: rawUpload(records), scopes: MobileScope.options }]);
}

/** Scores compare with the weeks before as with any others, each value by the device it came from. */
async function storeBaseline(
  deps: Deps,
  { user, devices: rows }: Subject,
  { persona, zone }: SeedRow,
  devices: NonNullable<SeedRow['devices']>,
  now: number,
): Promise<void> {
  const life = { userId: user.id, persona, timezone: zone };
  const days = (await openCloud(deps)).baseline(life, reachDays, now);
  if (days.size === 0) return;
  const ordinals = new Map(rows.map(({ id, ordinal }) => [id, ordinal]));
  const canonical = Array.from(days, ([date, day]): [string, CanonicalDay] => [
    date,
    new Map(
      metricIds.flatMap((metric) => {
        const { value, device } = day[metric] ?? {};
        const source = ordinals.get((device && devices[device]) ?? '');
        return value === undefined || source === undefined ? [] : [[metric, { value, source }]];
      }),
    ),
  ]);
  await conditionalCommit(deps.store, [
    userRows(deps.store).stillActive(user.id),
    seededBaselineRows(deps.store).storing(user.id, new Map(canonical)),
  ]);
}

/** Undefined when the user is gone. */
async function makeDevices(
  deps: Deps,
  userId: string,
  { persona, zone }: SeedRow,
): Promise<SeedRow['devices'] | undefined> {
  const ids: NonNullable<SeedRow['devices']> = {};
  for (const which of devicesOf(persona)) {
    const vendor = vendorOf[which];
    const account = accountOfLife({ userId, persona, timezone: zone });
    const id = vendor ? await connected(deps, userId, vendor, account) : await phone(deps, userId);
    if (id === undefined) return undefined;
    ids[which] = id;
  }
  return ids;
}

async function phone(deps: Deps, userId: string): Promise<string | undefined> {
  const { name, model, type } = sandboxDevices.phone;
  const description = { provider: 'apple_health', connection: 'sdk', deviceType: type, model, name } as const;
  return (await findOrCreateDevice(deps, userId, description))?.device.id;
}

/** From the code on it is everybody's way. */
const connected = (
  deps: Deps,
  userId: string,
  provider: CloudProviderId,
  account: string,
): Promise<string | undefined> =>
  connectWithCode(deps, userId, provider, async (challenge) =>
    (await openCloud(deps)).code(provider, account, challenge),
  );

/** What a worker that died has left of a connection. */
async function forgetHalfMade(deps: Deps, userId: string): Promise<void> {
  const subject = await subjectOf(deps, userId);
  for (const { id, provider, status } of subject?.devices ?? [])
    if (Object.values(vendorOf).some((each) => each === provider) && (status === 'pending' || status === 'failed'))
      await forget(deps, userId, id);
}
