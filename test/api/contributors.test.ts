// Which devices contributed to a daily value, under each method and in both forms.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { hourMs, iso, march10Ms, phoneDevice, stepsSample, travelerProfile, watch } from '../harness/test-user.ts';

let system: System;
let account: NewAccount;
let form1Key: string;
let userId: string;
let phones: Map<SdkProviderId, Phone>;
/** Device ids by the names used in these tests. */
let deviceIds: Map<string, string>;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  form1Key = await system.form1Key(account.account_id);
});
beforeEach(async () => {
  userId = await system.user(account.live_key, { timezone: 'UTC' });
  phones = new Map();
  deviceIds = new Map();
});

const uploadFromWatch = (provider: SdkProviderId, lists: object) =>
  uploadFrom(provider, `watch of ${provider}`, watch, lists);
async function uploadFrom(provider: SdkProviderId, name: string, device: object, lists: object): Promise<void> {
  const phone = phones.get(provider) ?? (await openPhone(system, account.live_key, userId, provider));
  phones.set(provider, phone);
  system.clock.advance(1_000);
  const response = await phone.upload({ time_zone: 'UTC', device, ...lists });
  expect([response.status, response.body.rejected]).toEqual([202, []]);
  await system.host.drain();
  const { data } = (await system.call('GET', `/v1/users/${userId}/devices`, { token: account.live_key })).body;
  const known = new Set(deviceIds.values());
  for (const { id } of data) if (!known.has(id)) deviceIds.set(name, id);
}

async function setMethods(methods: Record<string, string>): Promise<void> {
  const metrics = Object.fromEntries(Object.entries(methods).map(([key, method]) => [key, { method }]));
  const path = `/v1/users/${userId}/consolidation`;
  expect((await system.call('PATCH', path, { token: account.live_key, body: { metrics } })).status).toBe(202);
  await system.settle();
}

/** Returns the value with its source, and expects both forms to return the same. */
async function readValueAndSource(metric: string, more = '') {
  const sourcesQuery = `include_sources=true${more}`;
  const columns = await system.call(
    'GET',
    `/v1/users/${userId}/daily?types=${metric}&from_date=2026-03-10&to_date=2026-03-10&${sourcesQuery}`,
    { token: account.live_key },
  );
  const rows = await system.call(
    'GET',
    `/v1/users/${userId}/daily?metrics=${metric}&start_date=2026-03-10&end_date=2026-03-10&${sourcesQuery}`,
    { token: form1Key },
  );
  const [value, source] = [columns.body.series[metric][0], columns.body.sources[metric][0]];
  expect(rows.body.data).toMatchObject([{ metric, value, source }]);
  return { value, source };
}

const weightUpload = (value: number) => ({ daily: [{ date: '2026-03-10', metric: 'weight', value, unit: 'kg' }] });
const restingHeartRateUpload = (value: number) => ({
  daily: [{ date: '2026-03-10', metric: 'resting_heart_rate', value, unit: 'bpm' }],
});
const sleepUpload = (asleep: number, rem: number) => ({
  sleep: [{ start: iso(march10Ms), end: iso(march10Ms + 8 * hourMs), asleep_minutes: asleep, rem_minutes: rem }],
});
const contribution = (name: string, provider: SdkProviderId, value: number) => ({
  device_id: deviceIds.get(name),
  provider,
  value,
});
const watchContribution = (provider: SdkProviderId, value: number) =>
  contribution(`watch of ${provider}`, provider, value);

describe('an average', () => {
  test('names every averaged device with its own value, highest priority first', async () => {
    await uploadFromWatch('health_connect', restingHeartRateUpload(60));
    await uploadFromWatch('samsung_health', restingHeartRateUpload(61));
    await uploadFromWatch('apple_health', restingHeartRateUpload(61));
    await setMethods({ resting_heart_rate: 'avg' });
    expect(await readValueAndSource('resting_heart_rate')).toEqual({
      value: 60.7,
      source: {
        provider: 'apple_health',
        device_id: deviceIds.get('watch of apple_health'),
        original_value: 61,
        original_unit: 'bpm',
        contributors: [
          watchContribution('apple_health', 61),
          watchContribution('samsung_health', 61),
          watchContribution('health_connect', 60),
        ],
      },
    });
  });

  test('of sleep names the contributors of each metric, including a device that reported zero', async () => {
    await uploadFromWatch('health_connect', sleepUpload(300, 0));
    await uploadFromWatch('apple_health', sleepUpload(400, 90));
    await setMethods({ sleep: 'avg' });
    const asleep = await readValueAndSource('asleep');
    expect([asleep.value, asleep.source.original_value]).toEqual([350, 400]);
    expect(asleep.source.contributors).toEqual([
      watchContribution('apple_health', 400),
      watchContribution('health_connect', 300),
    ]);
    const rem = await readValueAndSource('rem_sleep');
    expect([rem.value, rem.source.contributors]).toEqual([
      45,
      [watchContribution('apple_health', 90), watchContribution('health_connect', 0)],
    ]);
  });

  test('lists the devices of a provider with values that add up to that provider’s total', async () => {
    await uploadFrom('apple_health', 'pocket', phoneDevice, {
      samples: [stepsSample(8, 9, 80), stepsSample(10, 11, 50)],
    });
    await uploadFrom(
      'apple_health',
      'covered',
      { ...phoneDevice, model: 'Phone16,1' },
      { samples: [stepsSample(8, 9, 90)] },
    );
    await uploadFromWatch('health_connect', { samples: [stepsSample(8, 9, 0)] });
    await uploadFromWatch('apple_health', { samples: [stepsSample(8, 9, 100)] });
    await setMethods({ steps: 'avg' });
    const { value, source } = await readValueAndSource('steps');
    expect(deviceIds.size).toBe(4);
    expect(value).toBe(75);
    expect(source.contributors).toEqual([
      watchContribution('apple_health', 100),
      watchContribution('health_connect', 0),
      contribution('pocket', 'apple_health', 50),
    ]);
  });

  test('shows what its source reported for the whole day, even if only a part was averaged', async () => {
    userId = await system.user(account.live_key, travelerProfile);
    await uploadFrom('health_connect', 'other pocket', phoneDevice, { samples: [stepsSample(10, 11, 50)] });
    await uploadFrom('apple_health', 'pocket', phoneDevice, {
      samples: [stepsSample(10, 11, 300), stepsSample(12, 13, 100)],
    });
    // At this offset the same hour belongs to the next day.
    await uploadFromWatch('apple_health', { samples: [stepsSample(10, 11, 7, { utc_offset: '+14:00' })] });
    await setMethods({ steps: 'avg' });
    const { value, source } = await readValueAndSource('steps');
    expect([value, source.original_value, source.contributors]).toEqual([
      75,
      400,
      [contribution('pocket', 'apple_health', 100), contribution('other pocket', 'health_connect', 50)],
    ]);
  });

  test('lists contributors in the requested units', async () => {
    await uploadFromWatch('health_connect', weightUpload(70));
    await uploadFromWatch('apple_health', weightUpload(80));
    await setMethods({ weight: 'avg' });
    const { value, source } = await readValueAndSource('weight', '&unit_system=imperial');
    expect([value, source.contributors]).toEqual([
      165.35,
      [watchContribution('apple_health', 176.37), watchContribution('health_connect', 154.32)],
    ]);
  });

  test('of one device has no contributors', async () => {
    await uploadFromWatch('apple_health', weightUpload(80));
    await setMethods({ weight: 'avg' });
    expect((await readValueAndSource('weight')).source).not.toHaveProperty('contributors');
  });
});

test('the maximum comes from one provider and lists contributors of that provider only', async () => {
  await uploadFromWatch('apple_health', { samples: [stepsSample(8, 9, 100)] });
  await uploadFrom('apple_health', 'pocket', phoneDevice, { samples: [stepsSample(10, 11, 50)] });
  await uploadFromWatch('health_connect', { samples: [stepsSample(8, 9, 120)] });
  await setMethods({ steps: 'max' });
  const { value, source } = await readValueAndSource('steps');
  expect([value, source.contributors]).toEqual([
    150,
    [watchContribution('apple_health', 100), contribution('pocket', 'apple_health', 50)],
  ]);
  await uploadFromWatch('health_connect', { samples: [stepsSample(12, 13, 90)] });
  const [larger, alone] = Object.values(await readValueAndSource('steps'));
  expect([larger, alone.provider, alone.contributors]).toEqual([210, 'health_connect', undefined]);
});

test('each day of a range lists its own contributors', async () => {
  await uploadFromWatch('apple_health', { samples: [stepsSample(-16, -15, 10), stepsSample(8, 9, 100)] });
  await uploadFrom('apple_health', 'pocket', phoneDevice, {
    samples: [stepsSample(-14, -13, 20), stepsSample(10, 11, 50)],
  });
  const path = `/v1/users/${userId}/daily?types=steps&from_date=2026-03-09&to_date=2026-03-10&include_sources=true`;
  const { sources } = (await system.call('GET', path, { token: account.live_key })).body;
  expect(sources.steps.map((source: { contributors: object[] }) => source.contributors)).toEqual([
    [watchContribution('apple_health', 10), contribution('pocket', 'apple_health', 20)],
    [watchContribution('apple_health', 100), contribution('pocket', 'apple_health', 50)],
  ]);
});

test('a sum lists every device that was added', async () => {
  await uploadFromWatch('apple_health', { samples: [stepsSample(8, 9, 100)] });
  await uploadFromWatch('health_connect', { samples: [stepsSample(8, 9, 120)] });
  await setMethods({ steps: 'sum' });
  const { value, source } = await readValueAndSource('steps');
  expect([value, source.original_value, source.contributors]).toEqual([
    220,
    120,
    [watchContribution('health_connect', 120), watchContribution('apple_health', 100)],
  ]);
});
