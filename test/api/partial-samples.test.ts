import { describe, expect, test } from 'vitest';
import {
  hourMs,
  iso,
  march10Ms,
  phoneDevice,
  stepsSample,
  type TestUser,
  travelerProfile,
  watch,
} from '../harness/test-user.ts';
import { testUsers } from '../harness/test-users.ts';

const { createUser } = testUsers();
const caloriesSample = (from: number, to: number, value: number, unit: string): object => ({
  metric: 'active_calories',
  start: iso(march10Ms + from * hourMs),
  end: iso(march10Ms + to * hourMs),
  value,
  unit,
});

/** Returns the ids of the watch and the phone, in the order they were connected. */
async function listDeviceIds(ada: TestUser): Promise<[string, string]> {
  const { data } = (await ada.get('devices')).body;
  return data.map(({ id }: { id: string }) => id);
}

interface ListedSample {
  timestamp: string;
  value: number;
  source: { device_id: string; original_value: number; original_unit: string };
}

/** Returns the device, start, value, original value and original unit of each sample. */
async function listSamples(ada: TestUser, metric: string, date: string): Promise<unknown[][]> {
  const path = `timeseries?metrics=${metric}&start_date=${date}&end_date=${date}&include_sources=true`;
  const data: ListedSample[] = (await ada.get(path)).body.data;
  const [ofWatch] = await listDeviceIds(ada);
  return data.map(({ timestamp, value, source }) => [
    source.device_id === ofWatch ? 'watch' : 'phone',
    timestamp.slice(5, 16),
    value,
    source.original_value,
    source.original_unit,
  ]);
}

const readHours = async (ada: TestUser, date: string) =>
  (await ada.get(`timeseries?metric=steps&date=${date}&resolution=1h&include_sources=true`)).body;

const readSource = async (ada: TestUser, metric: string) =>
  (await ada.get(`daily?from_date=2026-03-10&to_date=2026-03-10&types=${metric}&include_sources=true`)).body.sources[
    metric
  ][0];

describe('overlapping samples of two devices', () => {
  test('keep what the higher-ranked device did not measure, in their original unit', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [caloriesSample(9, 10, 30, 'kcal')] });
    await ada.send(phoneDevice, { samples: [caloriesSample(8, 10, 836.8, 'kJ'), caloriesSample(9.25, 9.5, 7, 'kJ')] });
    expect(await listSamples(ada, 'active_calories', '2026-03-10')).toEqual([
      ['phone', '03-10T08:00', 100, 418.4, 'kJ'],
      ['watch', '03-10T09:00', 30, 30, 'kcal'],
    ]);
  });

  test('are split at midnight, so that each day lists what its hours contain', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [stepsSample(-1, 1, 120), stepsSample(5, 5, 3)] });
    await ada.send(phoneDevice, { samples: [stepsSample(-2, 2, 4_000)] });
    expect(await listSamples(ada, 'steps', '2026-03-09')).toEqual([
      ['phone', '03-09T22:00', 1_000, 1_000, 'count'],
      ['watch', '03-09T23:00', 60, 60, 'count'],
    ]);
    expect(await listSamples(ada, 'steps', '2026-03-10')).toEqual([
      ['watch', '03-10T00:00', 60, 60, 'count'],
      ['phone', '03-10T01:00', 1_000, 1_000, 'count'],
      ['watch', '03-10T05:00', 3, 3, 'count'],
    ]);
    expect((await readHours(ada, '2026-03-09')).values.slice(21)).toEqual([null, 1_000, 60]);
    expect((await readHours(ada, '2026-03-10')).values.slice(0, 6)).toEqual([60, 1_000, null, null, null, 3]);
  });

  test('within the same five minutes lose the same fraction, regardless of their own lengths', async () => {
    const ada = await createUser();
    const minute = 1 / 60;
    await ada.send(watch, { samples: [stepsSample(8 - 5 * minute, 8, 5), stepsSample(8, 8 + 2 * minute, 10)] });
    await ada.send(phoneDevice, {
      samples: [stepsSample(8, 8 + minute, 300), stepsSample(8 + 2 * minute, 8 + 3 * minute, 300)],
    });
    expect(await ada.daily('steps')).toEqual({ steps: [null, 215, null, null] });
    expect(await listSamples(ada, 'steps', '2026-03-10')).toEqual([
      ['watch', '03-10T07:55', 5, 5, 'count'],
      ['watch', '03-10T08:00', 10, 10, 'count'],
      ['phone', '03-10T08:02', 200, 200, 'count'],
    ]);
  });

  test('within the same five minutes are merged into what is left, in their common unit if they have one', async () => {
    const ada = await createUser();
    const minute = 1 / 60;
    const twice = (from: number, units: string[]) =>
      units.map((unit, at) => caloriesSample(from + 2 * at * minute, from + (2 * at + 1) * minute, 41.84, unit));
    await ada.send(watch, {
      samples: [
        caloriesSample(8 - 5 * minute, 8 + minute, 1, 'kcal'),
        caloriesSample(9 - 5 * minute, 9 + minute, 1, 'kcal'),
      ],
    });
    await ada.send(phoneDevice, { samples: [...twice(8, ['kJ', 'kJ']), ...twice(9, ['kJ', 'kcal'])] });
    const shown = await listSamples(ada, 'active_calories', '2026-03-10');
    expect(shown.filter(([who]) => who === 'phone')).toEqual([
      ['phone', '03-10T08:01', 13, 55.786666666667, 'kJ'],
      ['phone', '03-10T09:01', 35, 34.56, 'kcal'],
    ]);
  });

  test('add up to the day, however many there are in succession', async () => {
    const ada = await createUser();
    const minute = 1 / 60;
    const cells = Array.from({ length: 287 }, (_none, at) => (at + 1) * 5 * minute);
    await ada.send(phoneDevice, { samples: [0, ...cells].map((at) => stepsSample(at, at + 5 * minute, 30)) });
    await ada.send(watch, {
      samples: cells.flatMap((at) => [
        stepsSample(at - 0.5 * minute, at + 0.5 * minute, 6),
        stepsSample(at + minute, at + 2 * minute, 6),
      ]),
    });
    const { steps: days } = await ada.daily('steps');
    const { values } = await readHours(ada, '2026-03-10');
    const hours = values.reduce((sum: number, value: number | null) => sum + (value ?? 0), 0);
    expect(days).toEqual([null, 8_640, null, null]);
    expect(Math.abs(hours - 8_640)).toBeLessThan(24);
  });

  test('report their share of the original value on each side of midnight', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [caloriesSample(-1, 2, 100, 'kJ')] });
    expect(await listSamples(ada, 'active_calories', '2026-03-09')).toEqual([
      ['watch', '03-09T23:00', 8, 33.333333333333, 'kJ'],
    ]);
    expect(await listSamples(ada, 'active_calories', '2026-03-10')).toEqual([
      ['watch', '03-10T00:00', 16, 66.666666666667, 'kJ'],
    ]);
  });

  test('are listed as sent if nothing is taken from them, even across midnight in another time zone', async () => {
    const ada = await createUser(travelerProfile);
    await ada.send(watch, { samples: [stepsSample(14, 16, 1_001, { utc_offset: '+09:00' })] });
    expect(await ada.daily('steps')).toEqual({ steps: [null, 501, 501, null] });
    expect(await listSamples(ada, 'steps', '2026-03-10')).toEqual([['watch', '03-10T14:00', 1_001, 1_001, 'count']]);
    await ada.send(watch, { samples: [caloriesSample(8, 9, 12.3456789012345, 'kcal')] });
    expect(await listSamples(ada, 'active_calories', '2026-03-10')).toEqual([
      ['watch', '03-10T08:00', 12, 12.3456789012345, 'kcal'],
    ]);
  });

  test('of one device that count on different days are separate, however close they are', async () => {
    const ada = await createUser(travelerProfile);
    const minute = 1 / 60;
    await ada.send(watch, {
      samples: [
        stepsSample(10, 10 + minute, 7),
        stepsSample(10 + 3 * minute, 10 + 4 * minute, 7, { utc_offset: '+14:00' }),
      ],
    });
    await ada.send(phoneDevice, { samples: [stepsSample(10, 10 + 5 * minute, 500)] });
    expect(await ada.daily('steps')).toEqual({ steps: [null, 307, 7, null] });
    expect((await readHours(ada, '2026-03-10')).values[10]).toBe(314);
  });
});

describe('the source of a timeseries column', () => {
  test('is the device with the largest share on that day, regardless of other days', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [stepsSample(8, 9, 30), stepsSample(12, 13, 20)] });
    await ada.send(phoneDevice, {
      samples: [stepsSample(-12, -12, 700), stepsSample(36, 36, 700), stepsSample(10, 11, 40)],
    });
    const [ofWatch, ofPhone] = await listDeviceIds(ada);
    expect((await readHours(ada, '2026-03-10')).source.device_id).toBe(ofWatch);
    expect((await readHours(ada, '2026-03-11')).source.device_id).toBe(ofPhone);
  });

  test('is the higher-ranked of two devices with equal shares', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [stepsSample(8, 9, 50)] });
    await ada.send(phoneDevice, { samples: [stepsSample(10, 11, 50)] });
    const [ofWatch] = await listDeviceIds(ada);
    expect((await readHours(ada, '2026-03-10')).source.device_id).toBe(ofWatch);
  });
});

describe('the source of a day', () => {
  test("shows its own device's share in that device’s unit, and lists the other contributors", async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [caloriesSample(9, 10, 30, 'kcal')] });
    await ada.send(phoneDevice, { samples: [caloriesSample(8, 10, 836.8, 'kJ')] });
    const [ofWatch, ofPhone] = await listDeviceIds(ada);
    const provider = 'apple_health';
    expect(await readSource(ada, 'active_calories')).toEqual({
      provider,
      device_id: ofPhone,
      original_value: 418.4,
      original_unit: 'kJ',
      contributors: [
        { device_id: ofWatch, provider, value: 30 },
        { device_id: ofPhone, provider, value: 100 },
      ],
    });
  });

  test('lists no contributors if the other devices contributed nothing', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [caloriesSample(8, 10, 30, 'kcal')] });
    await ada.send(phoneDevice, { samples: [caloriesSample(8, 10, 836.8, 'kJ')] });
    const [ofWatch] = await listDeviceIds(ada);
    expect(await readSource(ada, 'active_calories')).toEqual({
      provider: 'apple_health',
      device_id: ofWatch,
      original_value: 30,
      original_unit: 'kcal',
    });
  });
});
