// Which providers are listed as available, by functions that cannot read the credentials.
import { expect, test } from 'vitest';
import { pollWorker } from '../../../../functions/workers/poll.ts';
import { cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import { findPollLimit } from '../../../../shared/connections/client/poll-share.ts';
import { findAvailableProviders, listProviders } from '../../../../shared/connections/client/provider-availability.ts';
import { providerLimitRows } from '../../../../shared/connections/provider-limit-rows.ts';
import { SettingsUnreadable } from '../../../../shared/platform/ports.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const good = { client_id: 'hush', client_secret: 'hush' };

/** `runPoll` may read the credentials; `deps` may not. */
function openDeployment(settings: Record<string, unknown>) {
  const { deps: memory, table, log, withTable } = memoryDeps();
  const summaryWrites: unknown[] = [];
  const worker = withTable({
    ...table,
    async write(write) {
      if (write.kind === 'put' && write.item['pk'] === keys.providerSettingsSummary.pk) summaryWrites.push(write.item);
      return table.write(write);
    },
  });
  const unreadable = { get: async () => Promise.reject(new Error('this function may not read credentials')) };
  const providerSettings = {
    async get(provider: string) {
      if (settings[provider] instanceof Error) throw settings[provider];
      return settings[provider];
    },
  };
  return {
    table,
    log,
    deps: { ...memory, providerSettings: unreadable },
    runPoll: pollWorker({ ...worker, providerSettings }),
    summaryWrites,
  };
}

test('a misconfigured provider does not affect other providers, and the log has the reason', async () => {
  const { deps, runPoll, log } = openDeployment({ oura: { client_id: 'id' }, whoop: good });
  await runPoll();
  const { providers } = await listProviders(deps, 'live', { connection: 'all' });
  expect(providers.map(({ id }) => id)).toEqual(['whoop', 'apple_health', 'health_connect', 'samsung_health']);
  expect(log).toEqual([
    expect.objectContaining({
      message: 'provider_misconfigured',
      fields: expect.objectContaining({ provider: 'oura', detail: expect.stringContaining('client_secret') }),
    }),
  ]);
});

test('an unavailable provider names the settings that it lacks, and neither the list nor the table has a value', async () => {
  const { deps, runPoll, table } = openDeployment({
    oura: { client_id: 'hush' },
    whoop: good,
    polar: 'hush',
    suunto: { ...good, subscription_key: 7 },
    strava: { ...good, limits: [] },
    garmin: new SettingsUnreadable('The setting DAYBOOK_PROVIDER_GARMIN is not JSON.'),
  });
  await runPoll();
  const { providers } = await listProviders(deps, 'live', { connection: 'cloud', include: 'unavailable' });
  const named = Object.fromEntries(providers.map(({ id, available, missing }) => [id, [available, ...missing]]));
  expect(Object.keys(named)).toEqual([...cloudProviderIds]);
  expect(named).toMatchObject({
    oura: [false, 'client_secret'],
    whoop: [true],
    polar: [false, 'client_id', 'client_secret'],
    suunto: [false, 'subscription_key'],
    strava: [false, 'limits'],
    garmin: [false, 'client_id', 'client_secret'],
    coros: [false, 'client_id', 'client_secret'],
    google_health: [false, 'client_id', 'client_secret'],
  });
  const stored = await table.get(keys.providerSettingsSummary);
  expect(stored).toMatchObject({ missing: { oura: ['client_secret'], whoop: [] } });
  expect(JSON.stringify([providers, stored])).not.toContain('hush');
  expect([...(await findAvailableProviders(deps, 'live'))]).toEqual(['whoop']);
  const sandbox = await listProviders(deps, 'sandbox', { connection: 'cloud' });
  expect(sandbox.providers.map(({ id, missing }) => [id, missing])).toEqual(cloudProviderIds.map((id) => [id, []]));
});

test('what an operator changes is known after the next run of poll, which writes only changes', async () => {
  const settings: Record<string, unknown> = {};
  const { deps, runPoll, summaryWrites } = openDeployment(settings);
  expect((await findAvailableProviders(deps, 'live')).size).toBe(0);
  expect((await findAvailableProviders(deps, 'sandbox')).size).toBe(cloudProviderIds.length);
  await runPoll();
  expect((await findAvailableProviders(deps, 'live')).size).toBe(0);
  settings['oura'] = good;
  await runPoll();
  expect([...(await findAvailableProviders(deps, 'live'))]).toEqual(['oura']);
  await runPoll();
  expect(summaryWrites).toHaveLength(2);
  settings['oura'] = undefined;
  await runPoll();
  expect((await findAvailableProviders(deps, 'live')).size).toBe(0);
});

test('each provider is listed with how often it is polled under its own limits, at one more table call', async () => {
  const limits = [{ requests: 10, seconds: 3_600, per: 'deployment' } as const];
  const { deps, table, runPoll } = openDeployment({ strava: { ...good, limits }, garmin: good, whoop: good });
  await runPoll();
  const limit = findPollLimit('strava', limits);
  if (!limit) throw new Error('polls of Strava have a limit');
  for (let connections = 0; connections < 5; connections++)
    await providerLimitRows(deps.store).draw([limit], limit.burst, deps.clock.now(), 'none');
  const calls: [string, number][] = [];
  const counted: typeof table = {
    ...table,
    async get(key, options) {
      calls.push(['get', 1]);
      return table.get(key, options);
    },
    async batchGet(wanted, options) {
      calls.push(['batchGet', wanted.length]);
      return table.batchGet(wanted, options);
    },
  };
  const store = { ...deps.store, table: counted };
  const { providers } = await listProviders({ ...deps, store }, 'live', { connection: 'all' });
  // Garmin is never polled, so its limit is not read.
  expect(calls).toEqual([
    ['get', 1],
    ['batchGet', 2],
  ]);
  const intervals = Object.fromEntries(providers.map((each) => [each.id, each.poll_interval_seconds]));
  // The hour that the first poll used up, the four turns in line, and the 15 minutes.
  expect(intervals['strava']).toBeGreaterThan(5 * 3_600 + 900);
  expect(intervals['strava']).toBeLessThanOrEqual(5.1 * 3_600 + 900);
  expect(intervals).toMatchObject({ whoop: 900, garmin: null, apple_health: null });
  calls.length = 0;
  const sandbox = await listProviders({ ...deps, store }, 'sandbox', { connection: 'cloud' });
  expect(calls).toEqual([]);
  for (const { id, poll_interval_seconds: seconds } of sandbox.providers)
    expect([id, seconds]).toEqual([id, id === 'garmin' ? null : 900]);
});
