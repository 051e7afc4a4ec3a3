// What a sandbox user's devices send at once: what is new since the last time, and a step of the
// history.

import { MobileScope } from '../catalog/mobile-scopes.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import { maxWindowsPerRun } from '../connections/sync/next-step.ts';
import { syncConnection } from '../connections/sync/sync-connection.ts';
import { acceptRecords } from '../pipeline/accept-records.ts';
import { LostRace } from '../platform/lost-race.ts';
import { datesInRange } from '../platform/time/local-day.ts';
import { oura } from '../providers/oura/descriptor.ts';
import { countRecords, toRawUpload } from '../providers/phone/format.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import type { SeedRow } from '../users/seed-rows.ts';
import type { SandboxProfile } from './life/simulated-user.ts';
import { openBuiltInProvider } from './provider-server/open-built-in-provider.ts';
import { sendSandboxPushes } from './send-sandbox-pushes.ts';

export const feedIntervalMs = 3_600_000;

/** The ring's windows in the first step, and how many days the phone uploads with them. */
const firstWindows = 3;
/**
 * Six weeks: the scores of the newest week compare with no day before them, so they are final
 * before the rest of the history arrives.
 */
export const firstStepDays = firstWindows * oura.sync.windowDays;
const stepDays = maxWindowsPerRun * oura.sync.windowDays;

export interface Feed {
  deps: Deps;
  profile: SandboxProfile;
  seed: SeedRow;
  /** The phone; undefined if it was disconnected. */
  uploader: DeviceRow | undefined;
  connections: readonly ConnectionRow[];
  now: number;
}

export interface FeedProgress extends Pick<SeedRow, 'history' | 'pushedMs'> {
  fedMs: number;
}

/** A step of the history sends nothing new, unless an hour is over or a device was connected. */
export const shouldFeed = ({ seed: { fedMs, history, pushedMs }, connections, now }: Feed): boolean =>
  fedMs === null ||
  history === null ||
  now - fedMs >= feedIntervalMs ||
  connections.some(({ device }) => pushedMs[device] === undefined);

/** Sends what is new. For a new user, that is the newest part of its past. */
export async function feedNewData(feed: Feed): Promise<FeedProgress> {
  const { deps, profile, seed, uploader, connections, now } = feed;
  const isFirst = seed.fedMs === null;
  const dates = (await openBuiltInProvider(deps)).listDates(profile, seed.fedMs, now);
  const laterDates = isFirst && uploader ? dates.slice(0, -firstStepDays) : [];
  await uploadPhoneRecords(feed, dates.slice(laterDates.length));
  for (const connection of connections) await sendSandboxPushes(deps, connection, seed.pushedMs[connection.device]);
  // A new user's history is fetched right here, so that days are built and scored once instead of
  // window by window. Messages to its connections are deferred in the meantime; if the schedule
  // sends one anyway, the fence lets only one of the two runs commit.
  if (isFirst) await syncConnections(feed, laterDates.length > 0 ? firstWindows : undefined);
  const pushedMs = Object.fromEntries(connections.map(({ device }) => [device, now]));
  return { fedMs: now, pushedMs, history: isFirst ? toHistory(laterDates) : seed.history };
}

/** Sends the newest part of what is left of the past. */
export async function feedHistory(feed: Feed): Promise<FeedProgress> {
  const { seed, uploader, now } = feed;
  const { fedMs, pushedMs, history } = seed;
  const dates = uploader && history ? datesInRange(history.from, history.to) : [];
  await uploadPhoneRecords(feed, dates.slice(-stepDays));
  await syncConnections(feed, undefined);
  return { fedMs: fedMs ?? now, pushedMs, history: toHistory(dates.slice(0, -stepDays)) };
}

function toHistory(dates: readonly string[]): SeedRow['history'] {
  const [from, to] = [dates[0], dates.at(-1)];
  return from === undefined || to === undefined ? null : { from, to };
}

async function uploadPhoneRecords({ deps, profile, uploader, now }: Feed, dates: readonly string[]): Promise<void> {
  if (!uploader || dates.length === 0) return;
  const { phone: records } = (await openBuiltInProvider(deps)).listUploads(profile, dates, now);
  if (countRecords(records) === 0) return;
  const batch = {
    device: uploader,
    raw: { ...toRawUpload(records), via: 'upload' as const },
    scopes: MobileScope.options,
  };
  await acceptRecords(deps, profile.userId, now, [batch]);
}

async function syncConnections({ deps, profile, connections }: Feed, maxWindows: number | undefined): Promise<void> {
  for (const { device } of connections)
    try {
      await syncConnection(deps, profile.userId, device, { maxWindows });
    } catch (error) {
      // The connection's own worker reads it at the moment.
      if (!(error instanceof LostRace)) throw error;
      deps.log('info', 'sandbox_connection_busy', { user_id: profile.userId, device_id: device });
    }
}
