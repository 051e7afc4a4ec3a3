// Feeds a sandbox user the way real data arrives: its newest days when it is new, then the rest of
// its past step by step, and every hour what has happened since. Each step is stored before the next
// one begins, and is a message of its own, so that a long past delays no other user.

import { metricIds } from '../catalog/metrics.ts';
import type { CloudProviderId } from '../catalog/provider.ts';
import { type SandboxDevice, sandboxHistoryDays } from '../catalog/sandbox.ts';
import { forgetPendingDevice } from '../connections/connect/begin-connection.ts';
import { connectWithCode } from '../connections/connect/connect-with-code.ts';
import { connectionRows } from '../connections/connection-rows.ts';
import type { CanonicalDay } from '../measurements/codec/canonical-day.ts';
import { seededBaselineRows } from '../measurements/rows/seeded-baseline-rows.ts';
import { workerWriteDeadlineMs } from '../platform/write-deadline.ts';
import { reachDays } from '../scores/day-scores.ts';
import type { Deps } from '../system/deps.ts';
import { commitConditionally } from '../system/store.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { findOrCreateDevice } from '../users/devices.ts';
import { type SeedRow, seedRows } from '../users/seed-rows.ts';
import { activeDevices, readUserContext, type UserContext } from '../users/user-context.ts';
import { userRows } from '../users/user-rows.ts';
import { type Feed, feedHistory, feedIntervalMs, feedNewData, shouldFeed } from './feed-days.ts';
import { deferMessages } from './life/defer-messages.ts';
import { listPersonaDevices, sandboxDevices } from './life/devices.ts';
import type { SandboxProfile } from './life/simulated-user.ts';
import { toSandboxAccount } from './provider-server/account.ts';
import { openBuiltInProvider } from './provider-server/open-built-in-provider.ts';

/** The providers of the wearables; the phone uploads by itself. */
const providerByDevice: Readonly<Partial<Record<SandboxDevice, CloudProviderId>>> = { ring: 'oura', watch: 'garmin' };

/** Does nothing if the user is not due, is being fed, or no longer exists. */
export async function feedSandbox(baseDeps: Deps, userId: string): Promise<void> {
  const now = baseDeps.clock.now();
  const { deps, release } = deferMessages(baseDeps);
  const stored = await seedRows(deps.store).find(userId);
  if (!stored || stored.nextMs === null || stored.nextMs > now) return;
  const claimed = await seedRows(deps.store).claim(userId, now, now + workerWriteDeadlineMs);
  if (!claimed) return;
  const isFirst = claimed.seed.devices === null;
  if (claimed.isRetry && isFirst) await removeUnfinishedDevices(deps, userId);
  const devices = claimed.seed.devices ?? (await createDevices(deps, userId, claimed.seed));
  // Connecting a device has moved the next feed forward, so the row is read again.
  const seed = claimed.seed.devices ? claimed.seed : await seedRows(deps.store).find(userId);
  const userContext = await readUserContext(deps, userId);
  if (!devices || !userContext || !seed) return;

  const active = activeDevices(userContext.devices);
  const connections = (await connectionRows(deps.store).listByUser(userId)).filter(
    ({ device, status }) => status === 'active' && active.some(({ id }) => id === device),
  );
  const uploader = active.find(({ id }) => id === devices.phone);
  if (!uploader && connections.length === 0) {
    await seedRows(deps.store).end(userId, seed, { ...seed, devices });
    return;
  }
  const profile = toProfile(userId, seed);
  // The baseline is stored before there is anything to score.
  if (isFirst) await storeBaseline(deps, userContext, profile, devices, now);
  const feed: Feed = { deps, profile, seed, uploader, connections, now };
  const progress = shouldFeed(feed) ? await feedNewData(feed) : await feedHistory(feed);
  const { history, fedMs } = progress;
  const nextMs = history ? now : Math.max(now, fedMs + feedIntervalMs);
  const isDone = await seedRows(deps.store).recordFeed(userId, seed, { ...seed, devices, ...progress, nextMs });
  // The seed queue is left out, because its work was just done. While the history continues here,
  // so do the connections.
  await release(history ? ['seed', 'connection'] : ['seed']);
  // The message about a device that was connected during this run found the lease taken.
  if (history || !isDone) await wakeWorker(baseDeps, 'seed', { user_id: userId });
}

/**
 * Scores compare with these weeks like with any others, each value by the device that it came from.
 */
async function storeBaseline(
  deps: Deps,
  { user, devices: rows }: UserContext,
  profile: SandboxProfile,
  devices: NonNullable<SeedRow['devices']>,
  now: number,
): Promise<void> {
  const days = (await openBuiltInProvider(deps)).buildBaseline(profile, reachDays, now);
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
  await commitConditionally(deps.store, [
    userRows(deps.store).buildActiveCheck(user.id),
    seededBaselineRows(deps.store).buildPut(user.id, new Map(canonical)),
  ]);
}

const toProfile = (userId: string, { persona, zone, days, lifeSeed }: SeedRow) => ({
  userId,
  persona,
  timezone: zone,
  days,
  lifeSeed,
});

/** Undefined if the user no longer exists. */
async function createDevices(deps: Deps, userId: string, seed: SeedRow): Promise<SeedRow['devices'] | undefined> {
  const ids: NonNullable<SeedRow['devices']> = {};
  for (const deviceName of listPersonaDevices(seed.persona)) {
    const providerId = providerByDevice[deviceName];
    const id = providerId
      ? await connectWearable(deps, toProfile(userId, seed), providerId)
      : await createPhone(deps, userId);
    if (id === undefined) return undefined;
    ids[deviceName] = id;
  }
  return ids;
}

async function createPhone(deps: Deps, userId: string): Promise<string | undefined> {
  const { name, model, type } = sandboxDevices.phone;
  const description = { provider: 'apple_health', connection: 'sdk', deviceType: type, model, name } as const;
  return (await findOrCreateDevice(deps, userId, description))?.device.id;
}

/** From the code onwards, a wearable connects like any other device. */
const connectWearable = (
  deps: Deps,
  profile: SandboxProfile & { days: number },
  provider: CloudProviderId,
): Promise<string | undefined> =>
  connectWithCode(
    deps,
    profile.userId,
    provider,
    async (challenge) => (await openBuiltInProvider(deps)).issueCode(provider, toSandboxAccount(profile), challenge),
    profile.days > sandboxHistoryDays ? profile.days : null,
  );

/** Removes unfinished connections that a crashed worker has left behind. */
async function removeUnfinishedDevices(deps: Deps, userId: string): Promise<void> {
  const userContext = await readUserContext(deps, userId);
  for (const { id, provider, status } of userContext?.devices ?? [])
    if (
      Object.values(providerByDevice).some((each) => each === provider) &&
      (status === 'pending' || status === 'failed')
    )
      await forgetPendingDevice(deps, userId, id);
}
