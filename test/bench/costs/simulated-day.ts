// A person with a phone lives through a day, sync by sync, with one webhook that answers 200: every
// sync is measured, and so is what follows by itself between two of them.

import { openPhone } from '../../harness/phone.ts';
import type { Receiver } from '../../harness/receiver.ts';
import { refresh, upload } from '../../harness/sdk.ts';
import type { CostWorld } from './cost-world.ts';
import { lateMinutes, planSyncs, type Sync, type SyncsPerDay, sleepsAtMs, wakesAtMs } from './day-plan.ts';
import { dayMs, makeNightUntil, makeSamples, makeWeeksBefore, timeZone, uploadBody } from './phone-day.ts';
import { combine, type Usage } from './usage.ts';

export interface SimulatedSync extends Sync {
  usage: Usage;
  /** The types of the events that the webhook was sent. */
  events: string[];
}
export interface SimulatedDay {
  syncs: SimulatedSync[];
  /** What happened between two syncs: scores that had waited, and everything else that is due at a time. */
  betweenSyncs: { usage: Usage; events: string[] }[];
  refreshUsage: Usage;
  /** All of it. */
  usage: Usage;
}
export interface PhoneUser {
  user: string;
  upload(lists: object): Promise<void>;
  refresh(): Promise<void>;
}

const minuteMs = 60_000;
const weeksOfHistory = 4;
/** How often schedules run between syncs; those that find nothing are taken off again. */
const scheduleIntervalMinutes = 20;

/** Somebody whose scores have had four weeks to learn what is usual. The clock stands at a midnight. */
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
        throw new Error(`an upload was answered ${response.status}: ${response.text.slice(0, 500)}`);
    },
    async refresh() {
      const response = await refresh(system, refreshToken);
      if (response.status !== 200) throw new Error(`a refresh was answered ${response.status}: ${response.text}`);
      accessToken = response.body.access_token;
      refreshToken = response.body.refresh_token;
    },
  };
  await phone.upload(makeWeeksBefore(midnightOf(system.clock.now()), 7 * weeksOfHistory));
  await system.host.drain();
  return phone;
}

const midnightOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

/** From midnight to midnight. */
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
