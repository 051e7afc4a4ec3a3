// The stages of a sandbox user's nights, from each provider that is connected to the API.
import { beforeAll, expect, test } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { formatLocalTime } from '../../shared/platform/time/local-day.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { simulateDays } from '../../shared/sandbox/provider-server/simulate-days.ts';
import { consentInBrowser, followCallback } from '../harness/sandbox-consent-flow.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

const timezone = 'Europe/Berlin';
/** The persona with the fewest days. */
const persona = 'new_user';
let system: System;
let key: string;
beforeAll(async () => {
  system = await sharedSystem();
  key = (await system.account()).sandbox_key;
});

const get = async (path: string) => (await system.call('GET', `/v1/users/${path}`, { token: key })).body;

/** Connects the provider as the only device of a new user. */
async function connect(provider: CloudProviderId): Promise<string> {
  const user = await system.user(key, { timezone, profile: { sandbox_persona: persona } });
  await system.host.drain();
  for (const { id } of (await get(`${user}/devices`)).data)
    await system.call('DELETE', `/v1/users/${user}/devices/${id}`, { token: key });
  const account = { persona, time_zone: timezone, account_number: user.slice('usr_'.length) };
  const flow = await consentInBrowser(system, key, user, provider, account);
  expect((await followCallback(flow)).status).toBe(200);
  await system.host.drain();
  return user;
}

/** The nights that the provider simulated, oldest first. */
const simulateNights = (userId: string, provider: CloudProviderId) =>
  simulateDays(
    { userId, persona, timezone, worn: providerDescriptors[provider].deviceType },
    { from: '2000-01-01', to: '9999-12-31' },
    system.clock.now(),
  ).flatMap(({ sleeps }) => sleeps.filter(({ isNap }) => !isNap));

test.each([
  ['polar', 0],
  ['withings', 0],
  // Its nights end when the user wakes up, without the time awake after that.
  ['ultrahuman', 1],
] as const)('a night of %s has the stages that the provider sent', async (provider, awakeAfterwards) => {
  const user = await connect(provider);
  const { data } = await get(`${user}/sleep?include_stages=true`);
  const nights: { id: string; is_main_sleep: boolean; stages: unknown }[] = data;
  const main = nights.filter(({ is_main_sleep }) => is_main_sleep).toReversed();
  const sent = simulateNights(user, provider).map(({ stages }) =>
    stages.slice(0, stages.length - awakeAfterwards).map(({ stage, startMs, endMs }) => ({
      stage,
      start: formatLocalTime(startMs, timezone),
      end: formatLocalTime(endMs, timezone),
    })),
  );
  expect(sent.length).toBeGreaterThan(1);
  expect(main.map(({ stages }) => stages)).toEqual(sent);
  for (const [at, { id }] of main.entries()) expect((await get(`${user}/sleep/${id}`)).stages).toEqual(sent[at]);
});
