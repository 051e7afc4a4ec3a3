import { expect, it } from 'vitest';
import { exchange, openSession } from '../harness/sdk.ts';
import { resetSettings, webhookHistory } from './fixtures.ts';
import { ada, con } from './users.ts';
import { contractWorld, outcome } from './world.ts';

const world = contractWorld();
const readCatalog = async () => (await world().get('/v1/consolidation/catalog')).body;

interface Setting {
  key: string;
  providers: { provider: string; enabled: boolean }[];
}
const consolidationPath = async () => `/v1/users/${await con(world())}/consolidation`;
const readConfiguration = async () => (await world().get(await consolidationPath())).body;
const patch = async (body: object) => world().call('PATCH', await consolidationPath(), body);
const isSamsungEnabled = ({ providers }: Setting): boolean | undefined =>
  providers.find(({ provider }) => provider === 'samsung_health')?.enabled;

/** Returns the values of the 10th after all rebuilds. */
async function readMarch10(types: string): Promise<Record<string, (number | null)[]>> {
  await world().settle();
  const path = `/v1/users/${await con(world())}/daily?types=${types}&from_date=2026-03-10&to_date=2026-03-10`;
  return (await world().get(path)).body.series;
}

it('105. the consolidation catalog has category_order and metrics', async () => {
  const { category_order, metrics } = await readCatalog();
  expect(new Set(metrics.map(({ category }: { category: string }) => category))).toEqual(new Set(category_order));
});

it('106. a catalog entry has key, display_name, category, kind, default_method and allowed_methods', async () => {
  const { metrics } = await readCatalog();
  for (const entry of metrics) {
    for (const name of ['key', 'display_name', 'category', 'kind', 'default_method']) expect(entry[name]).toMatch(/\S/);
    expect(entry.allowed_methods).toContain(entry.default_method);
  }
  expect(new Set(metrics.map(({ key }: Setting) => key)).size).toBe(metrics.length);
});

it('107. kind is metric or group', async () => {
  const { metrics } = await readCatalog();
  const kinds = Object.groupBy<string, { kind: string; key: string }>(metrics, ({ kind }) => kind);
  expect(Object.keys(kinds).sort()).toEqual(['group', 'metric']);
  expect(kinds['group']?.map(({ key }) => key)).toContain('sleep');
});

it('108. a group applies one setting to its related metrics', async () => {
  await resetSettings(world());
  expect(await readMarch10('asleep,deep_sleep,time_in_bed')).toEqual({
    asleep: [420],
    deep_sleep: [90],
    time_in_bed: [470],
  });
  await patch({ metrics: { sleep: { providers: { samsung_health: false } } } });
  expect(await readMarch10('asleep,deep_sleep,time_in_bed')).toEqual({
    asleep: [400],
    deep_sleep: [60],
    time_in_bed: [480],
  });
});

it('109. workout selection is not part of consolidation', async () => {
  await resetSettings(world());
  const { metrics } = await readCatalog();
  expect(metrics.filter(({ key }: Setting) => /workout/.test(key))).toEqual([]);
  const path = `/v1/users/${await con(world())}/workouts?from_date=2026-03-10&to_date=2026-03-10`;
  const before = (await world().get(path)).body;
  expect(before.data).toMatchObject([{ type: 'yoga', source: 'samsung_health' }]);
  await patch({ providers: { samsung_health: false } });
  await world().settle();
  expect((await world().get(path)).body).toEqual(before);
});

it('110. there are six consolidation categories', async () => {
  const six = ['Activity', 'Energy', 'Body Composition', 'Sleep', 'Vitals', 'Nutrition'];
  expect((await readCatalog()).category_order).toEqual(six);
});

it('111. max is the largest value of an enabled provider', async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'max' }, weight: { method: 'max' } } });
  expect(await readMarch10('steps,weight')).toEqual({ steps: [300], weight: [74] });
  await patch({ metrics: { steps: { providers: { samsung_health: false } } } });
  expect(await readMarch10('steps,weight')).toEqual({ steps: [100], weight: [74] });
});

it("112. avg is the mean of the enabled providers' values", async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'avg' }, weight: { method: 'avg' } } });
  expect(await readMarch10('steps,weight')).toEqual({ steps: [200], weight: [72] });
  await patch({ metrics: { weight: { providers: { samsung_health: false } } } });
  expect(await readMarch10('steps,weight')).toEqual({ steps: [200], weight: [70] });
});

it("113. sum is the sum of the enabled providers' values", async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'sum' } } });
  expect(await readMarch10('steps')).toEqual({ steps: [400] });
  await patch({ providers: { samsung_health: false } });
  expect(await readMarch10('steps')).toEqual({ steps: [100] });
});

it('114. the configuration has providers and metrics with their effective state', async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'max' } } });
  const { providers, metrics } = await readConfiguration();
  const both = [
    { provider: 'apple_health', enabled: true },
    { provider: 'samsung_health', enabled: true },
  ];
  expect(providers).toEqual(both);
  const steps = { key: 'steps', category: 'Activity', default_method: 'merge', method: 'max', overridden: true };
  expect(metrics).toContainEqual({ ...steps, providers: both });
  const weight = { key: 'weight', category: 'Body Composition', default_method: 'priority', method: 'priority' };
  expect(metrics).toContainEqual({ ...weight, overridden: false, providers: both });
});

it('115. top-level provider state applies to all metrics', async () => {
  await resetSettings(world());
  await patch({ providers: { samsung_health: false } });
  const { metrics } = await readConfiguration();
  expect(metrics.length).toBeGreaterThan(40);
  for (const entry of metrics) expect([entry.key, isSamsungEnabled(entry)]).toEqual([entry.key, false]);
  expect(await readMarch10('steps,distance,weight,asleep')).toEqual({
    steps: [100],
    distance: [1],
    weight: [70],
    asleep: [400],
  });
});

it('116. metric-level enabled is false when the provider is off globally or for that metric', async () => {
  await resetSettings(world());
  const off = async () =>
    (await readConfiguration()).metrics
      .filter((entry: Setting) => isSamsungEnabled(entry) === false)
      .map(({ key }: Setting) => key);
  await patch({ metrics: { steps: { providers: { samsung_health: false } } } });
  expect(await off()).toEqual(['steps']);
  await patch({ providers: { samsung_health: false }, metrics: { steps: { providers: { samsung_health: true } } } });
  expect(await off()).toContain('steps');
  await patch({ providers: { samsung_health: true } });
  expect(await off()).toEqual([]);
});

it('117. the update response has status and configuration', async () => {
  await resetSettings(world());
  const { body } = await patch({ metrics: { steps: { method: 'max' } } });
  expect(body).toEqual({ status: 'reconsolidating', configuration: await readConfiguration() });
});

it('118. a webhook has id, url, events, status and created_at', async () => {
  const { key, webhook, url } = await webhookHistory(world());
  const { data } = (await world().get('/v1/webhooks', key)).body;
  expect(data).toMatchObject([
    { id: webhook, url, events: ['*'], status: 'active', created_at: expect.stringMatching(/Z$/) },
  ]);
});

it('119. last_delivery_at is in the webhook list only', async () => {
  const { key, webhook } = await webhookHistory(world());
  const [listed] = (await world().get('/v1/webhooks', key)).body.data;
  expect(listed.last_delivery_at).toMatch(/Z$/);
  const updated = await world().call('PATCH', `/v1/webhooks/${webhook}`, { description: 'the same' }, key);
  expect(updated.body.data).not.toHaveProperty('last_delivery_at');
  const other = await world().system.account();
  const webhookBody = { url: 'https://example.com/hook', events: ['*'] };
  const registered = await world().call('POST', '/v1/webhooks', webhookBody, other.live_key);
  expect(registered.body.data).not.toHaveProperty('last_delivery_at');
});

it('120. an update may change URL, events or status', async () => {
  const { live_key: key } = await world().system.account();
  const first = { url: 'https://example.com/first', events: ['data.updated'] };
  const { id } = (await world().call('POST', '/v1/webhooks', first, key)).body.data;
  const update = (body: object) => world().call('PATCH', `/v1/webhooks/${id}`, body, key);
  const changes = [
    { url: 'https://example.com/second' },
    { events: ['score.updated', 'subject.synced'] },
    { status: 'paused' },
    { status: 'active' },
  ];
  let now: object = { ...first, status: 'active' };
  for (const change of changes) {
    now = { ...now, ...change };
    expect((await update(change)).body.data).toMatchObject(now);
  }
  const refused = await update({ events: ['data.vanished'] });
  expect([outcome(refused), refused.body.message]).toEqual([
    '400 invalid_body',
    expect.stringContaining('data.vanished'),
  ]);
  expect((await world().get('/v1/webhooks', key)).body.data).toMatchObject([now]);
});

it('121. an event has event_id, event_type, metrics, user_id, device_id and timestamp', async () => {
  const { key, id, devices } = await webhookHistory(world());
  const { events } = (await world().get('/v1/events?types=data.updated', key)).body;
  expect(events[0]).toMatchObject({
    event_id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    event_type: 'data.updated',
    metrics: expect.arrayContaining(['steps']),
    user_id: id,
    device_id: devices.apple,
    timestamp: expect.stringMatching(/Z$/),
  });
});

it('122. a token response has token, user_id and expires_at', async () => {
  const { id: user_id } = await ada(world());
  for (const path of ['/v1/auth/user-token', '/v1/auth/user-token/refresh', '/v1/auth/mobile-token']) {
    const { body } = await world().call('POST', path, { user_id });
    expect(body).toEqual({ token: expect.any(String), user_id, expires_at: expect.stringMatching(/Z$/) });
    expect(Date.parse(body.expires_at)).toBeGreaterThan(world().system.clock.now());
  }
});

it('123. the exchange request has one required string, client_token', async () => {
  const { client_token } = await openSession(world().system, world().key, await world().user());
  for (const body of [{}, { client_token: 7 }, { client_token: null }]) {
    const refused = await world().call('POST', '/v1/sdk/sessions/exchange', body, null);
    expect([outcome(refused), refused.body.details.issues[0].path]).toEqual(['400 invalid_body', 'client_token']);
  }
  expect((await exchange(world().system, client_token)).status).toBe(200);
});
