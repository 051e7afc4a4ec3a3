// Simulates a user's day with a phone, sync by sync, and one webhook that responds with 200.
// Measures every sync and the work between syncs.

import { openPhone } from '../../harness/phone.ts';
import type { Receiver } from '../../harness/receiver.ts';
import { refresh, upload } from '../../harness/sdk.ts';
import type { CostWorld } from './cost-world.ts';
import { lateMinutes, planSyncs, type Sync, type SyncsPerDay, sleepsAtMs, wakesAtMs } from './day-plan.ts';
import { dayMs, makeNightUntil, makeSamples, makeWeeksBefore, timeZone, uploadBody } from './phone-day.ts';
import { combine, type Usage } from './usage.ts';

export interface SimulatedSync extends Sync {
  usage: Usage;
  /** The types of the events that the webhook received. */
  events: string[];
}
export interface SimulatedDay {
  syncs: SimulatedSync[];
  /**
   * The work between two syncs: delayed scoring and everything else that is due at a certain time.
   */
  betweenSyncs: { usage: Usage; events: string[] }[];
  refreshUsage: Usage;
  /** The total of the day. */
  usage: Usage;
}
export interface PhoneUser {
  user: string;
  upload(lists: object): Promise<void>;
  refresh(): Promise<void>;
}

const minuteMs = 60_000;
const weeksOfHistory = 4;
/** How often schedules run between syncs. The cost of idle schedules is subtracted. */
const scheduleIntervalMinutes = 20;

/** A user with four weeks of history as the baseline for scores. The clock must be at midnight. */
export async function openPhoneUser(world: CostWorld): Promise<PhoneUser> {
  const { system, key } = world;
  const profile = { date_of_birth: '1990-05-17', height_cm: 175, weight_kg: 70 };
  const user = await world.user({ timezone: timeZone, profile });
  let { accessToken, refreshToken } = await openPhone(system, key, user);
  const phone: PhoneUser = {
    user,
    async upload(lists) {
      const response = await upload(system, accessToken, uploadBody(lists));
      if (response.status !== 202 || response.body.rejected.length > 0)
        throw new Error(`the upload returned ${response.status}: ${response.text.slice(0, 500)}`);
    },
    async refresh() {
      const response = await refresh(system, refreshToken);
      if (response.status !== 200) throw new Error(`the refresh returned ${response.status}: ${response.text}`);
      accessToken = response.body.access_token;
      refreshToken = response.body.refresh_token;
    },
  };
  await phone.upload(makeWeeksBefore(midnightOf(system.clock.now()), 7 * weeksOfHistory));
  await system.host.drain();
  return phone;
}

const midnightOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

/** Simulates a day from midnight to midnight. */
export async function simulateDay(
  world: CostWorld,
  phone: PhoneUser,
  receiver: Receiver,
  count: SyncsPerDay,
): Promise<SimulatedDay> {
  const { clock } = world.system;
  const midnight = midnightOf(clock.now());
  const withReceivedEvents = async (work: () => Promise<Usage>) => {
    const before = receiver.received.length;
    const usage = await work();
    return { usage, events: receiver.received.slice(before).map(({ body }) => eventTypeOf(body)) };
  };
  const between: SimulatedDay['betweenSyncs'] = [];
  async function waitUntil(ms: number): Promise<void> {
    const minutes = Math.floor((ms - clock.now()) / minuteMs);
    if (minutes > 0)
      between.push(
        await withReceivedEvents(() => world.measurePass(minutes, Math.min(minutes, scheduleIntervalMinutes))),
      );
    clock.advance(Math.max(0, ms - clock.now()));
  }

  const syncs: SimulatedSync[] = [];
  let latest: object = {};
  let refreshUsage: Usage = {};
  for (const sync of planSyncs(count)) {
    await waitUntil(midnight + sync.atMs + lateMinutes(sync) * minuteMs);
    if (sync.kind === 'night') refreshUsage = await world.measure(() => phone.refresh());
    if (sync.kind !== 'again') latest = recordsOfSync(sync, midnight);
    syncs.push({ ...sync, ...(await withReceivedEvents(() => world.measure(() => phone.upload(latest)))) });
  }
  await waitUntil(midnight + dayMs + 15 * minuteMs);
  const parts = [...syncs, ...between].map(({ usage }) => usage);
  return {
    syncs,
    betweenSyncs: between,
    refreshUsage,
    usage: parts.reduce((sum, part) => combine(sum, part), refreshUsage),
  };
}

const eventTypeOf = (body: string): string => JSON.parse(body).event_type;

function recordsOfSync({ kind, fromMs, atMs }: Sync, midnight: number): object {
  const isNight = atMs <= wakesAtMs || fromMs >= sleepsAtMs;
  const samples = makeSamples(midnight + fromMs, midnight + atMs, isNight);
  if (kind !== 'night') return { samples };
  const night = makeNightUntil(midnight + atMs - 10 * minuteMs);
  return { sleep: night.sleep, samples: [...night.samples, ...samples] };
}
