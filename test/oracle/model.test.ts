// The model on cases worked out by hand.
import { describe, expect, test } from 'vitest';
import { type SampleBody, sampleMismatches } from './compare-series.ts';
import { type DayValue, dayValue } from './day-value.ts';
import { expectedColumn, expectedSamples } from './expected-series.ts';
import { expectedNights } from './expected-sessions.ts';
import { makeScenario } from './make-scenario.ts';
import { metricOf } from './metric-table.ts';
import { applySettings, applyUpload, type Device, type ModelUser, newModelUser } from './model-user.ts';
import { isZero, round } from './rational.ts';
import type { Provider, WireNight, WireSample, WireUpload } from './scenario.ts';
import { createView } from './view.ts';

const date = '2025-06-15';
let connectedCount = 0;

type Lists = Pick<WireUpload, 'samples' | 'daily' | 'sleep'>;
function upload(
  user: ModelUser,
  model: string,
  type: WireUpload['device']['type'],
  lists: Lists,
  provider: Provider = 'apple_health',
) {
  const body = { time_zone: 'UTC', device: { name: '', model, type }, ...lists };
  const device = applyUpload(user, provider, body);
  if (device.id !== '') return;
  connectedCount += 1;
  device.id = `dev_${model}`;
  device.connectedAt = connectedCount;
}
const steps = (from: string, to: string | undefined, value: number): WireSample => ({
  metric: 'steps',
  start: `${date}T${from}:00Z`,
  ...(to === undefined ? {} : { end: `${date}T${to}:00Z` }),
  value,
  unit: 'count',
});
const valueOn = (user: ModelUser, metric: string, day = date): number | null => {
  const found = dayValue(createView(user), metric, day);
  return found && round(found.value, metricOf(metric).precision);
};
/** The samples that are certain to be listed: device, time and value. */
const samplesOn = (user: ModelUser, day: string): string[] =>
  expectedSamples(createView(user), 'steps', day, day).certain.map(
    ({ device, timestamp, value }) => `${device.model} ${timestamp.slice(11, 16)} ${round(value, 0)}`,
  );
const describeSources = ({ source, contributors }: DayValue) => ({
  source: `${source.device.model} ${round(source.original, 3)} ${source.unit}`,
  contributors: contributors?.map(({ device, value }) => `${device.model} ${round(value, 3)}`) ?? null,
});

describe('cumulative metrics', () => {
  test('of two devices at the same instant only the higher-ranked counts, even with other samples minutes away', () => {
    const user = newModelUser('UTC');
    upload(user, 'watch', 'wrist', { samples: [steps('10:00', undefined, 1), steps('10:03', undefined, 1)] });
    upload(user, 'phone', 'phone', { samples: [steps('10:03', undefined, 5)] });
    const day = dayValue(createView(user), 'steps', date);
    expect([valueOn(user, 'steps'), day && isZero(day.tolerance)]).toEqual([2, true]);
    expect(samplesOn(user, date)).toEqual(['watch 10:00 1', 'watch 10:03 1']);
  });

  test('an average over merged devices names the device with the largest share as its source', () => {
    const user = newModelUser('UTC');
    upload(user, 'watch', 'wrist', { samples: [steps('06:00', '07:00', 10)] });
    upload(user, 'phone', 'phone', { samples: [steps('08:00', '09:00', 70)] });
    upload(user, 'other', 'phone', { samples: [steps('10:00', '11:00', 50)] }, 'samsung_health');
    applySettings(user, { metrics: { steps: { method: 'avg' } } });
    const day = dayValue(createView(user), 'steps', date);
    expect(day && [round(day.value, 0), describeSources(day).source]).toEqual([65, 'phone 70 count']);
  });

  test('a watch until noon and a phone after it both count', () => {
    const user = newModelUser('UTC');
    upload(user, 'watch', 'wrist', { samples: [steps('06:00', '12:00', 4157)] });
    upload(user, 'phone', 'phone', { samples: [steps('12:00', '20:00', 9922)] });
    expect(valueOn(user, 'steps')).toBe(14_079);
    const day = dayValue(createView(user), 'steps', date);
    expect(day && describeSources(day)).toEqual({
      source: 'phone 9922 count',
      contributors: ['watch 4157', 'phone 9922'],
    });
  });

  test('the share of a device that also reports a total is shown in the unit of that total', () => {
    const user = newModelUser('UTC');
    const walk = (from: string, to: string, value: number, unit: string): WireSample[] => [
      { ...steps(from, to, value), metric: 'distance', unit },
    ];
    upload(user, 'watch', 'wrist', { samples: walk('06:00', '07:00', 1, 'km') });
    upload(user, 'phone', 'phone', {
      samples: walk('08:00', '09:00', 1609.344, 'm'),
      daily: [{ date, metric: 'distance', value: 9, unit: 'mi' }],
    });
    const day = dayValue(createView(user), 'distance', date);
    expect(day && describeSources(day)).toEqual({ source: 'phone 1 mi', contributors: ['watch 1', 'phone 1.609'] });
  });

  test('a walk recorded by both devices counts once, and a partly covered one in proportion', () => {
    const user = newModelUser('UTC');
    upload(user, 'phone', 'phone', { samples: [steps('08:00', '10:00', 1000), steps('09:30', undefined, 7)] });
    upload(user, 'watch', 'wrist', { samples: [steps('09:00', '10:00', 600)] });
    expect(valueOn(user, 'steps')).toBe(1100);
    const day = dayValue(createView(user), 'steps', date);
    expect(day && [isZero(day.tolerance), describeSources(day)]).toEqual([
      true,
      { source: 'watch 600 count', contributors: ['watch 600', 'phone 500'] },
    ]);
    const hours = expectedColumn(createView(user), { metric: 'steps', date, resolution: '1h', imperial: false });
    expect(hours.steps.slice(7, 11).map(({ value }) => value && round(value, 0))).toEqual([null, 500, 600, null]);
    expect(samplesOn(user, date)).toEqual(['watch 09:00 600', 'phone 08:00 500']);
  });

  test('the counted pieces of a sample are listed where they were measured, split at the profile’s midnight', () => {
    const user = newModelUser('Europe/Berlin');
    upload(user, 'phone', 'phone', { samples: [{ ...steps('20:00', '23:00', 1800), utc_offset: '+00:00' }] });
    upload(user, 'watch', 'wrist', { samples: [steps('20:30', '21:00', 1)] });
    expect(samplesOn(user, date)).toEqual(['watch 20:30 1', 'phone 20:00 300', 'phone 21:00 600']);
    expect(samplesOn(user, '2025-06-16')).toEqual(['phone 22:00 600']);
  });

  test('a reported total counts only if the highest-ranked device with data reports it', () => {
    const total = { date, metric: 'steps', value: 5000, unit: 'count' };
    const user = newModelUser('UTC');
    upload(user, 'phone', 'phone', { daily: [total], samples: [steps('08:00', '09:00', 100)] });
    expect(valueOn(user, 'steps')).toBe(5000);
    upload(user, 'watch', 'wrist', { samples: [steps('12:00', '13:00', 10)] });
    expect(valueOn(user, 'steps')).toBe(110);
    applySettings(user, { metrics: { steps: { method: 'max' } } });
    expect(valueOn(user, 'steps')).toBe(110);
  });

  test('only short samples next to higher-ranked ones have a tolerance', () => {
    const user = newModelUser('UTC');
    const short = [steps('08:00', '08:01', 10), steps('08:03', '08:04', 20)];
    upload(user, 'phone', 'phone', { samples: [...short, steps('09:00', '09:01', 5), steps('09:02', '09:03', 6)] });
    upload(user, 'watch', 'wrist', { samples: [steps('08:02', '08:10', 50)] });
    const day = dayValue(createView(user), 'steps', date);
    expect(day && [round(day.value, 0), round(day.tolerance, 0)]).toEqual([71, 30]);
    expect(samplesOn(user, date)).toEqual(['watch 08:02 50', 'phone 09:00 5', 'phone 09:02 6']);
    const { uncertain } = expectedSamples(createView(user), 'steps', date, date);
    expect(uncertain.map(({ value, tolerance }) => [round(value, 0), round(tolerance, 0)])).toEqual([
      [10, 10],
      [0, 20],
    ]);
  });
});

describe('nights', () => {
  const night = (start: string, end: string, more: Partial<WireNight>): WireNight => ({
    start: `2025-06-14T${start}:00Z`,
    end: `${date}T${end}:00Z`,
    ...more,
  });

  test('two reports of the same night count once, the later one; values missing from it come from samples', () => {
    const user = newModelUser('UTC');
    upload(user, 'ring', 'ring', {
      sleep: [night('22:00', '05:00', { asleep_minutes: 390.5, in_bed_minutes: 420 })],
    });
    upload(user, 'ring', 'ring', {
      sleep: [night('22:10', '06:00', { asleep_minutes: 400.5, in_bed_minutes: 445 })],
    });
    const deep = {
      metric: 'deep_sleep',
      start: '2025-06-14T22:30:00Z',
      end: '2025-06-14T23:00:00Z',
      value: 30,
      unit: 'min',
    };
    upload(user, 'ring', 'ring', { samples: [deep, { ...deep, metric: 'asleep' }] });
    expect(['asleep', 'sleep_efficiency', 'deep_sleep', 'rem_sleep'].map((metric) => valueOn(user, metric))).toEqual([
      401,
      90,
      30,
      null,
    ]);
    expect(
      expectedNights(createView(user), date, date).map((shown) => [shown.asleep_minutes, shown.is_main_sleep]),
    ).toEqual([[401, true]]);
  });

  test('of two devices each metric comes from its own; restorative sleep names both', () => {
    const user = newModelUser('UTC');
    const hours = (minutes: Partial<WireNight>) => ({ sleep: [night('22:00', '06:00', minutes)] });
    upload(user, 'ring', 'ring', hours({ asleep_minutes: 400, deep_minutes: 70 }));
    upload(user, 'watch', 'wrist', hours({ asleep_minutes: 415, deep_minutes: 60, rem_minutes: 90 }), 'samsung_health');
    const shown = () =>
      ['asleep', 'longest_sleep', 'deep_sleep', 'rem_sleep', 'restorative_sleep'].map((metric) =>
        valueOn(user, metric),
      );
    expect(shown()).toEqual([400, 400, 70, 90, 160]);
    const day = dayValue(createView(user), 'restorative_sleep', date);
    expect(day && describeSources(day)).toEqual({ source: 'watch 90 min', contributors: ['ring 70', 'watch 90'] });
    applySettings(user, { metrics: { sleep: { method: 'max' } } });
    expect(shown()).toEqual([415, 415, 70, 90, 160]);
    applySettings(user, { metrics: { sleep: { method: 'avg' } } });
    expect(shown()).toEqual([408, 408, 65, 90, 155]);
  });

  test('naps add to the time asleep but change neither the longest sleep nor its efficiency', () => {
    const user = newModelUser('UTC');
    const nap = (start: string, end: string, more: Partial<WireNight>) => ({
      ...night(start, end, more),
      start: `${date}T${start}:00Z`,
    });
    upload(user, 'ring', 'ring', {
      sleep: [
        nap('12:00', '14:00', { asleep_minutes: 60, in_bed_minutes: 120 }),
        night('22:00', '06:00', { asleep_minutes: 432, in_bed_minutes: 480 }),
      ],
    });
    const shown = () => ['asleep', 'longest_sleep', 'sleep_efficiency'].map((metric) => valueOn(user, metric));
    expect(shown()).toEqual([492, 432, 90]);
    // This is now the longest sleep, and its efficiency is unknown.
    upload(user, 'ring', 'ring', { sleep: [nap('14:30', '23:30', {})] });
    expect(shown()).toEqual([492, 432, null]);
  });

  test('restorative sleep is the sum of deep and REM sleep, from nights or samples', () => {
    const user = newModelUser('UTC');
    const stage = (metric: string, value: number, unit: string) => ({
      metric,
      start: `${date}T01:00:00Z`,
      end: `${date}T02:00:00Z`,
      value,
      unit,
    });
    upload(user, 'ring', 'ring', { samples: [stage('deep_sleep', 1, 'h')] });
    expect(valueOn(user, 'restorative_sleep')).toBeNull();
    upload(user, 'ring', 'ring', { samples: [stage('rem_sleep', 50, 'min')] });
    expect(valueOn(user, 'restorative_sleep')).toBe(110);
    upload(user, 'ring', 'ring', { sleep: [night('22:00', '06:00', { deep_minutes: 70 })] });
    expect(valueOn(user, 'restorative_sleep')).toBe(120);
  });
});

test('80.0049 kg is shown as 80.00, and nothing is rounded before conversion', () => {
  const user = newModelUser('UTC');
  const weight = { metric: 'weight', start: `${date}T07:00:00Z`, value: 80.0049, unit: 'kg' };
  upload(user, 'scale', 'scale', { samples: [weight] });
  expect(valueOn(user, 'weight')).toBe(80);
});

test('a seed always makes the same scenario', () => {
  expect(JSON.stringify(makeScenario(7))).toBe(JSON.stringify(makeScenario(7)));
  expect(JSON.stringify(makeScenario(7))).not.toBe(JSON.stringify(makeScenario(8)));
});

test('a sample list with a missing, duplicate, wrong or misplaced sample is detected', () => {
  const user = newModelUser('UTC');
  const walk = { ...steps('08:00', '09:00', 1), metric: 'distance', unit: 'km' };
  const sent = [{ ...steps('08:00', '09:00', 100), utc_offset: '-03:30' }, walk, steps('10:00', '11:00', 100)];
  upload(user, 'watch', 'wrist', { samples: sent });
  const makeSampleBody = ({ metric, start, value, unit, utc_offset }: WireSample): SampleBody => ({
    timestamp: new Date(start).toISOString(),
    metric,
    value,
    unit,
    utc_offset: utc_offset ?? null,
  });
  const [first, ...rest] = sent.map(makeSampleBody);
  if (!first) throw new Error('expected three samples');
  const sampleRead = { metrics: ['steps', 'distance'], from: date, to: date, imperial: false };
  const mismatchesOf = (...data: SampleBody[]) =>
    sampleMismatches(createView(user), sampleRead, data).map(({ where }) => where);
  expect(mismatchesOf(first, ...rest)).toEqual([]);
  expect(mismatchesOf(first, ...rest.slice(0, 1))).toEqual(['data']);
  expect(mismatchesOf(first, first, ...rest)).toEqual(['data[1]']);
  expect(mismatchesOf({ ...first, value: 101 }, ...rest)).toEqual(['data[0]', 'data']);
  for (const utc_offset of [null, '+03:30', '-03:00'])
    expect(mismatchesOf({ ...first, utc_offset }, ...rest)).toEqual(['data[0]', 'data']);
  expect(mismatchesOf(...rest.slice(0, 1), first, ...rest.slice(1))).toEqual(['order of data[1]']);
});

test('samples that exceed the tolerance of coarse merging, or are listed elsewhere, are detected', () => {
  const user = newModelUser('UTC');
  upload(user, 'phone', 'phone', { samples: [steps('08:00', '08:01', 10), steps('08:03', '08:04', 20)] });
  upload(user, 'watch', 'wrist', { samples: [steps('08:02', '08:10', 50)] });
  const [phone, watch] = user.devices;
  const makeSampleBody = (
    device: Device | undefined,
    time: string,
    value: number,
    original = value,
    utc_offset: string | null = null,
  ): SampleBody => ({
    timestamp: `${date}T${time}:00.000Z`,
    metric: 'steps',
    value,
    unit: 'count',
    utc_offset,
    source: {
      provider: 'apple_health',
      device_id: device?.id ?? '',
      original_value: original,
      original_unit: 'count',
    },
  });
  const sampleRead = { metrics: ['steps'], from: date, to: date, imperial: false };
  const mismatchesOf = (...data: SampleBody[]) =>
    sampleMismatches(createView(user), sampleRead, [...data, makeSampleBody(watch, '08:02', 50)]).length;
  expect([
    mismatchesOf(makeSampleBody(phone, '08:00', 15)),
    mismatchesOf(makeSampleBody(phone, '08:00', 10)),
    mismatchesOf(),
  ]).toEqual([0, 0, 0]);
  expect(mismatchesOf(makeSampleBody(phone, '08:00', 41))).toBe(1);
  expect(mismatchesOf(makeSampleBody(phone, '08:00', 15, 16))).toBe(1);
  expect(mismatchesOf(makeSampleBody(phone, '07:59', 15))).toBe(1);
  expect(mismatchesOf(makeSampleBody(phone, '08:00', 15, 15, '+01:00'))).toBe(1);
});
