// The stages of simulated nights, from the sandbox's providers to the detail of a sleep session.
import { beforeAll, expect, test } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { simulateDays } from '../../shared/sandbox/provider-server/simulate-days.ts';
import type { SimulatedSleep } from '../../shared/sandbox/simulated-providers/simulated-day.ts';
import { consentInBrowser, followCallback } from '../harness/sandbox-consent-flow.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

interface Stage {
  stage: string;
  start: string;
  end: string;
}
interface Night {
  id: string;
  source: string;
  start_time: string;
  end_time: string;
  is_main_sleep: boolean;
  stages: Stage[] | null;
}
interface Samples {
  samples: { timestamp: string; value: number }[];
}

let system: System;
let token: string;
let user: string;
beforeAll(async () => {
  system = await sharedSystem();
  token = (await system.account()).sandbox_key;
  user = await system.user(token, { timezone: 'UTC' });
  await system.host.drain();
});

async function get(path: string) {
  const response = await system.call('GET', `/v1/users/${user}/${path}`, { token });
  expect([path, response.status]).toEqual([path, 200]);
  return response.body;
}

/** The user wears the new device instead of the one before. */
async function replaceDevice(before: CloudProviderId, provider: CloudProviderId): Promise<void> {
  const { data } = await get('devices');
  const fill = { persona: 'average', time_zone: 'UTC', account_number: user.slice('usr_'.length) };
  expect((await followCallback(await consentInBrowser(system, token, user, provider, fill))).status).toBe(200);
  const { id } = data.find((device: { provider: string }) => device.provider === before);
  expect((await system.call('DELETE', `/v1/users/${user}/devices/${id}`, { token })).status).toBe(204);
  await system.host.runSchedule('feed-sandbox');
  await system.settle();
}

const toMs = (localTime: string): number => Date.parse(`${localTime}Z`);
const toPeriods = (stages: readonly Stage[] | null | undefined) =>
  stages?.map(({ stage, start, end }) => ({ stage, startMs: toMs(start), endMs: toMs(end) }));

function simulateSleeps(provider: CloudProviderId, from: string, to: string): Map<number, SimulatedSleep> {
  const life = { userId: user, persona: 'average', timezone: 'UTC' } as const;
  const worn = { ...life, worn: providerDescriptors[provider].deviceType };
  const days = simulateDays(worn, { from, to }, system.clock.now());
  return new Map(days.flatMap(({ sleeps }) => sleeps.map((sleep) => [sleep.startMs, sleep])));
}

/**
 * The ring is there from the start. Garmin reports no stages of naps. Ultrahuman's nights end when
 * the user wakes up, without the time awake after that.
 */
const providers = [
  { provider: 'oura', before: null, reportsNaps: true, endsOnWaking: false },
  { provider: 'garmin', before: 'oura', reportsNaps: false, endsOnWaking: false },
  { provider: 'google_health', before: 'garmin', reportsNaps: true, endsOnWaking: false },
  { provider: 'polar', before: 'google_health', reportsNaps: false, endsOnWaking: false },
  { provider: 'withings', before: 'polar', reportsNaps: true, endsOnWaking: false },
  { provider: 'ultrahuman', before: 'withings', reportsNaps: false, endsOnWaking: true },
] as const;

test.each(providers)(
  'a night of $provider has the stages that the provider sent, and what it measured meanwhile',
  async ({ provider, before, reportsNaps, endsOnWaking }) => {
    if (before) await replaceDevice(before, provider);
    const { data, from_date, to_date } = await get('sleep?include_stages=true');
    const nights: Night[] = data;
    const simulated = simulateSleeps(provider, from_date, to_date);
    expect(nights.length).toBeGreaterThanOrEqual(6);
    for (const night of nights) {
      const sleep = simulated.get(toMs(night.start_time));
      if (!sleep) return expect.unreachable(`nobody simulated the night of ${night.start_time}`);
      const sent = endsOnWaking ? sleep.stages.slice(0, -1) : sleep.stages;
      expect(night.source).toBe(provider);
      expect(toPeriods(night.stages)).toEqual(sleep.isNap && !reportsNaps ? undefined : sent);
    }

    const main = nights.filter(({ is_main_sleep }) => is_main_sleep)[1];
    const detail: Night & Record<'heart_rate' | 'heart_rate_variability_rmssd', Samples> = await get(
      `sleep/${main?.id}`,
    );
    expect(detail.stages).toEqual(main?.stages);
    expect(detail.stages?.length).toBeGreaterThan(10);
    expect(detail.heart_rate.samples.length).toBeGreaterThan(50);
    expect(detail.heart_rate_variability_rmssd.samples.length).toBeGreaterThan(15);
    for (const { timestamp } of detail.heart_rate.samples)
      expect(timestamp >= detail.start_time && timestamp <= detail.end_time).toBe(true);
  },
);
