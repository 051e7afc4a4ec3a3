// A device that waits for consent, or never received it, is never the source of a value.
import { beforeAll, expect, test } from 'vitest';
import { openPage, redirectLocation } from '../harness/connect-steps.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

test('days without a value have no source, even if devices are pending or have failed', async () => {
  const { sandbox_key: token } = await system.account();
  const user = await system.user(token, { timezone: 'UTC' });
  await system.host.drain();
  const requestConnection = async (provider: string) =>
    (await system.call('POST', `/v1/users/${user}/devices`, { token, body: { provider } })).body;
  await requestConnection('whoop');
  const { auth_url } = await requestConnection('strava');
  const state = new URL(redirectLocation(await openPage(system, auth_url))).searchParams.get('state');
  const denied = `${system.host.baseUrl}/connect/callback/strava?state=${state}&error=access_denied`;
  expect((await openPage(system, denied)).status).toBe(403);
  const { data } = (await system.call('GET', `/v1/users/${user}/devices`, { token })).body;
  expect(data.map(({ status }: { status: string }) => status).sort()).toEqual([
    'active',
    'active',
    'failed',
    'pending',
  ]);

  const read = await system.call('GET', `/v1/users/${user}/daily?types=weight,steps&include_sources=true`, { token });
  for (const metric of ['weight', 'steps'] as const) {
    const values: (number | null)[] = read.body.series[metric];
    const sources: ({ provider: string } | null)[] = read.body.sources[metric];
    expect(values).toContain(null);
    expect(sources.map((source) => source === null)).toEqual(values.map((value) => value === null));
    for (const source of sources) expect([undefined, 'oura', 'apple_health']).toContain(source?.provider);
  }
});
