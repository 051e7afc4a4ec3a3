// The cost of a phone's hourly sync from the request to the feed, as counted by the table engine
// itself.
import { createCredentials, makeUpload, refresh, upload } from './sdk.ts';
import { type System, startSystem } from './system.ts';

export interface Units {
  read: number;
  write: number;
}
export interface UploadCosts {
  /** Includes the scores that follow. */
  changing: Units;
  unchanged: Units;
  /** The same samples in another order: a different upload, which changes nothing. */
  reordered: Units;
  /** Includes a refresh of the phone's credentials before the upload. */
  withRefresh: Units;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** What a phone and its watch measured in the previous hour: 48 samples of three metrics. */
function hourBefore(nowMs: number, isReversed = false): object {
  const from = Math.floor(nowMs / hourMs) * hourMs - hourMs;
  const at = (minutes: number) => new Date(from + minutes * minuteMs).toISOString();
  const intervals = (metric: string, value: number, unit: string) =>
    Array.from({ length: 12 }, (_none, n) => ({
      metric,
      start: at(5 * n),
      end: at(5 * n + 5),
      value: value + n,
      unit,
    }));
  const beats = Array.from({ length: 24 }, (_none, n) => ({
    metric: 'heart_rate',
    start: at(2.5 * n),
    value: 60 + n,
    unit: 'bpm',
  }));
  const samples = [...intervals('steps', 40, 'count'), ...intervals('active_calories', 4.5, 'kcal'), ...beats];
  return makeUpload({ samples: isReversed ? samples.toReversed() : samples });
}

async function measureInSystem(take: (system: System) => Promise<Units[]>): Promise<Units[]> {
  const system = await startSystem({ startMs: Date.UTC(2026, 2, 12, 12) });
  try {
    return await take(system);
  } finally {
    await system.stop();
  }
}

async function countUnits(system: System, work: () => Promise<void>): Promise<Units> {
  const before = system.calls.length;
  await work();
  await system.host.drain();
  const calls = system.calls.slice(before);
  return {
    read: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
    write: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

/** A phone that has synced every hour for eighteen hours. The next sync is measured. */
async function openSyncedPhone(system: System) {
  const { live_key: token } = await system.account();
  const { access_token, refresh_token } = await createCredentials(system, token, await system.user(token));
  const sync = async (body: object, accessToken = access_token) => {
    const response = await upload(system, accessToken, body);
    if (response.status !== 202) throw new Error(`the upload returned ${response.status}: ${response.text}`);
  };
  for (let hour = 0; hour < 18; hour++) {
    system.clock.advance(hourMs);
    await sync(hourBefore(system.clock.now()));
    await system.host.drain();
  }
  system.clock.advance(hourMs);
  return { sync, refresh_token };
}

export async function measureUploadCosts(): Promise<UploadCosts> {
  const [changing, unchanged, reordered] = await measureInSystem(async (system) => {
    const { sync } = await openSyncedPhone(system);
    const now = system.clock.now();
    const body = hourBefore(now);
    return [
      await countUnits(system, () => sync(body)),
      await countUnits(system, () => sync(body)),
      await countUnits(system, () => sync(hourBefore(now, true))),
    ];
  });
  const [withRefresh] = await measureInSystem(async (system) => {
    const { sync, refresh_token } = await openSyncedPhone(system);
    const body = hourBefore(system.clock.now());
    const first = await countUnits(system, async () => {
      const { body: pair } = await refresh(system, refresh_token);
      await sync(body, pair.access_token);
    });
    system.clock.advance(minuteMs);
    const scored = await countUnits(system, async () => {});
    return [{ read: first.read + scored.read, write: first.write + scored.write }];
  });
  if (!changing || !unchanged || !reordered || !withRefresh) throw new Error('nothing was measured');
  return { changing, unchanged, reordered, withRefresh };
}
