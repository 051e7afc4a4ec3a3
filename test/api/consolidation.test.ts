import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { openPhone } from '../harness/phone.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let user: string;
const path = () => `/v1/users/${user}/consolidation`;
const readConfiguration = async () => (await system.call('GET', path(), { token: account.live_key })).body;
const patch = (body: unknown) => system.call('PATCH', path(), { token: account.live_key, body });

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});

async function connectProviders(...providers: ('apple_health' | 'samsung_health')[]): Promise<void> {
  user = await system.user(account.live_key);
  for (const provider of providers) {
    const phone = await openPhone(system, account.live_key, user, provider);
    await phone.upload({
      time_zone: 'UTC',
      device: { name: 'Phone', model: 'P1', type: 'phone' },
      daily: [{ date: '2026-01-01', metric: 'steps', value: provider === 'apple_health' ? 10 : 20, unit: 'count' }],
    });
    system.clock.advance(1000);
  }
  await waitForRebuild();
}

/** Drains twice, because the rebuilds of one user are spaced apart. */
async function waitForRebuild(): Promise<void> {
  await system.host.drain();
  await system.host.drain();
}

describe('the configuration', () => {
  beforeAll(() => connectProviders('samsung_health', 'apple_health'));

  test('lists every key of the catalog with its defaults and the connected providers', async () => {
    const catalog = (await system.call('GET', '/v1/consolidation/catalog', { token: account.live_key })).body;
    const { providers, metrics } = await readConfiguration();
    const all = [
      { provider: 'apple_health', enabled: true },
      { provider: 'samsung_health', enabled: true },
    ];
    expect(providers).toEqual(all);
    expect(metrics.map(({ key }: { key: string }) => key)).toEqual(
      catalog.metrics.map(({ key }: { key: string }) => key),
    );
    for (const entry of metrics)
      expect(entry).toMatchObject({ method: entry.default_method, overridden: false, providers: all });
  });

  test('a patch changes only what it names, and a patch without changes reports "unchanged"', async () => {
    const first = await patch({ metrics: { steps: { method: 'max', providers: { apple_health: false } } } });
    expect([first.status, first.body.status]).toEqual([202, 'reconsolidating']);
    await waitForRebuild();
    const again = await patch({ metrics: { steps: { method: 'max' } } });
    expect([again.status, again.body.status]).toEqual([202, 'unchanged']);
    const { metrics } = await readConfiguration();
    const steps = metrics.find(({ key }: { key: string }) => key === 'steps');
    expect(steps).toMatchObject({ method: 'max', overridden: true });
    expect(steps.providers).toEqual([
      { provider: 'apple_health', enabled: false },
      { provider: 'samsung_health', enabled: true },
    ]);
    expect(metrics.filter(({ overridden }: { overridden: boolean }) => overridden)).toHaveLength(1);
    expect(first.body.configuration).toEqual(await readConfiguration());
  });

  test('a provider that is disabled globally is disabled for every metric, and can be enabled again', async () => {
    await patch({ providers: { samsung_health: false } });
    for (const { providers } of (await readConfiguration()).metrics)
      expect(providers.find(({ provider }: { provider: string }) => provider === 'samsung_health').enabled).toBe(false);
    await patch({ providers: { samsung_health: true } });
    expect((await readConfiguration()).providers.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true);
  });

  test('a null method restores the default', async () => {
    await patch({ metrics: { steps: { method: 'sum' } } });
    await patch({ metrics: { steps: { method: null } } });
    expect((await readConfiguration()).metrics.find(({ key }: { key: string }) => key === 'steps')).toMatchObject({
      method: 'merge',
      overridden: false,
    });
  });

  test.each([
    [{}, 400, 'invalid_body', {}],
    [{ metrics: {} }, 400, 'invalid_body', {}],
    [{ metrics: { steps: {} } }, 400, 'invalid_body', {}],
    [{ metrics: { steps: { method: 7 } } }, 400, 'invalid_body', {}],
    [
      { metrics: { steps: { method: 'median' } } },
      400,
      'invalid_body',
      { issues: [{ path: 'metrics.steps.method', message: 'must be one of merge, priority, max, avg, sum' }] },
    ],
    [{ metrics: { dreams: { method: 'median' } } }, 400, 'invalid_body', {}],
    [{ providers: { apple_health: 'no' } }, 400, 'invalid_body', {}],
    [{ surprise: true }, 400, 'invalid_body', {}],
    [{ metrics: { dreams: { method: 'max' } } }, 422, 'invalid_metric', { metric: 'dreams' }],
    [{ metrics: { deep_sleep: { method: 'max' } } }, 422, 'invalid_metric', { metric: 'deep_sleep' }],
    [{ metrics: { weight: { method: 'sum' } } }, 422, 'invalid_method', { metric: 'weight', method: 'sum' }],
    [{ metrics: { steps: { providers: { oura: true } } } }, 422, 'invalid_provider', { provider: 'oura' }],
    [{ providers: { garmin: false } }, 422, 'invalid_provider', { provider: 'garmin' }],
  ])('%j is rejected as a whole', async (body, status, code, details) => {
    const before = await readConfiguration();
    const result = await patch(body);
    expect([result.status, result.body.error]).toEqual([status, code]);
    expect(result.body.details).toMatchObject(details);
    const half = await patch({
      metrics: { distance: { method: 'max' }, ...('metrics' in body ? body.metrics : {}) },
      ...('providers' in body ? { providers: body.providers } : {}),
      ...('surprise' in body ? body : {}),
    });
    if (status === 422 || 'issues' in details) expect(half.status).toBe(status);
    if (half.status >= 400) expect(await readConfiguration()).toEqual(before);
  });

  test('an unknown user has its own error code on this path', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const result = await system.call(method, '/v1/users/usr_nobody/consolidation', {
        token: account.live_key,
        ...(method === 'PATCH' ? { body: { providers: { oura: true } } } : {}),
      });
      expect([method, result.status, result.body.error]).toEqual([method, 404, 'user_not_found']);
    }
  });
});

describe('changes in quick succession', () => {
  test('ten concurrent patches are all stored, and the days reflect the final state', async () => {
    await connectProviders('apple_health', 'samsung_health');
    const keys = [
      'steps',
      'distance',
      'exercise',
      'weight',
      'heart_rate',
      'active_calories',
      'protein',
      'vo2_max',
      'height',
      'sleep',
    ];
    const result = await Promise.all(keys.map((key) => patch({ metrics: { [key]: { method: 'max' } } })));
    expect(result.map(({ status }) => status)).toEqual(keys.map(() => 202));
    const before = system.log.length;
    await waitForRebuild();
    expect(system.log.slice(before).filter(({ message }) => message === 'rebuilt').length).toBeLessThanOrEqual(2);
    const overridden = (await readConfiguration()).metrics.filter(
      ({ overridden: set }: { overridden: boolean }) => set,
    );
    expect(overridden.map(({ key }: { key: string }) => key).sort()).toEqual([...keys].sort());
    const { body } = await system.call(
      'GET',
      `/v1/users/${user}/daily?types=steps&from_date=2026-01-01&to_date=2026-01-01`,
      {
        token: account.live_key,
      },
    );
    expect(body.series.steps).toEqual([20]);
  });
});
