import { describe, expect, test } from 'vitest';
import { normalized, page } from './pages.ts';
import { heartRates, night, recharge } from './payloads.ts';

const at = (text: string): number => Date.parse(text);
const samplesOf = (metric: string, result: ReturnType<typeof normalized>) =>
  result.records.samples
    .filter((sample) => sample.metric === metric)
    .map(({ startMs, value, offsetMinutes }) => [new Date(startMs).toISOString(), value, offsetMinutes]);

const sleep = page('sleep', { nights: [{ ...night, heart_rate_samples: null }] });
const ofDay = page('heart_rate', { heart_rates: [heartRates] });

describe('the heart rate of a day', () => {
  test('has the offset of the night that ended on it', () => {
    expect(samplesOf('heart_rate', normalized([sleep, ofDay]))).toEqual([
      ['2026-03-10T22:03:10.000Z', 58, 120],
      ['2026-03-11T15:30:00.000Z', 97, 120],
    ]);
  });

  test('on a journey has the offset of the night, not that of the profile zone', () => {
    expect(samplesOf('heart_rate', normalized([sleep, ofDay], { timeZone: 'America/New_York' }))).toEqual([
      ['2026-03-10T22:03:10.000Z', 58, 120],
      ['2026-03-11T15:30:00.000Z', 97, 120],
    ]);
  });

  test('without a night is in the local time of the profile zone, and states no offset', () => {
    expect(samplesOf('heart_rate', normalized([ofDay], { timeZone: 'America/New_York' }))).toEqual([
      ['2026-03-11T04:03:10.000Z', 58, null],
      ['2026-03-11T21:30:00.000Z', 97, null],
    ]);
    expect(samplesOf('heart_rate', normalized([ofDay], { timeZone: null }))).toEqual([
      ['2026-03-11T00:03:10.000Z', 58, null],
      ['2026-03-11T17:30:00.000Z', 97, null],
    ]);
  });

  describe('over a change of summer time', () => {
    // In Helsinki, clocks went from 03:00 +02:00 to 04:00 +03:00 on 29 March 2026.
    const spring = {
      ...night,
      date: '2026-03-29',
      sleep_start_time: '2026-03-28T23:00:00+02:00',
      sleep_end_time: '2026-03-29T07:00:00+03:00',
      light_sleep: 9000,
      heart_rate_samples: null,
    };
    const beats = {
      date: '2026-03-29',
      heart_rate_samples: [
        { heart_rate: 50, sample_time: '02:30:00' },
        { heart_rate: 51, sample_time: '04:30:00' },
      ],
    };
    const pages = [page('sleep', { nights: [spring] }), page('heart_rate', { heart_rates: [beats] })];
    const options = { window: { from: '2026-03-28', to: '2026-03-29' }, received: '2026-03-29T12:00:00Z' };

    test('follows the clocks of the profile zone', () => {
      const result = normalized(pages, options);
      expect(samplesOf('heart_rate', result)).toEqual([
        ['2026-03-29T00:30:00.000Z', 50, 120],
        ['2026-03-29T01:30:00.000Z', 51, 180],
      ]);
      // Eight hours by the clock, seven elapsed.
      expect(result.records.sleep).toMatchObject([{ inBedMinutes: 420, offsetMinutes: 180 }]);
    });

    test('keeps the offset of the night when the zone is not known', () => {
      expect(samplesOf('heart_rate', normalized(pages, { ...options, timeZone: null }))).toEqual([
        ['2026-03-28T23:30:00.000Z', 50, 180],
        ['2026-03-29T01:30:00.000Z', 51, 180],
      ]);
    });
  });

  test('may be returned as a single day', () => {
    expect(samplesOf('heart_rate', normalized([sleep, page('heart_rate', heartRates)]))).toHaveLength(2);
  });
});

describe('samples of a night', () => {
  test('are on either side of midnight', () => {
    expect(
      samplesOf('heart_rate_variability_rmssd', normalized([sleep, page('recharge', { recharges: [recharge] })])),
    ).toEqual([
      ['2026-03-10T21:56:00.000Z', 36, 120],
      ['2026-03-10T22:41:00.000Z', 34, 120],
    ]);
  });

  test('of a recharge without its night start in the evening before', () => {
    const result = normalized([page('recharge', { recharges: [recharge] })], { timeZone: 'America/New_York' });
    expect(samplesOf('heart_rate_variability_rmssd', result)).toEqual([
      ['2026-03-11T03:56:00.000Z', 36, null],
      ['2026-03-11T04:41:00.000Z', 34, null],
    ]);
  });

  test('count on their own days: the evening of the last day belongs to a night that is stated a day later', () => {
    const next = { ...recharge, date: '2026-03-13' };
    const before = { ...recharge, date: '2026-03-10' };
    const result = normalized([page('recharge', { recharges: [next, before] })]);
    expect(samplesOf('heart_rate_variability_rmssd', result)).toEqual([
      ['2026-03-12T21:56:00.000Z', 36, null],
      ['2026-03-09T22:41:00.000Z', 34, null],
    ]);
    expect(result.records.daily.map(({ date }) => date)).toEqual(['2026-03-10', '2026-03-10', '2026-03-10']);
  });

  test('take the heart rate of the night when that of the day is missing', () => {
    expect(samplesOf('heart_rate', normalized([page('sleep', { nights: [night] })]))).toEqual([
      ['2026-03-10T21:44:00.000Z', 56, 120],
      ['2026-03-10T22:14:00.000Z', 53, 120],
    ]);
    expect(samplesOf('heart_rate', normalized([page('sleep', { nights: [night] }), ofDay]))).toHaveLength(2);
    expect(samplesOf('heart_rate', normalized([page('sleep', { nights: [night] }), ofDay]))[0]?.[1]).toBe(58);
  });

  test('without a valid time of day are left out', () => {
    const odd = { ...recharge, hrv_samples: { '25:00': 40, noon: 41, '00:41': null, '': 3 } };
    expect(normalized([page('recharge', { recharges: [odd] })]).records.samples).toEqual([]);
  });
});

describe('a night in Auckland, which Polar files under the 11th', () => {
  const auckland = {
    ...night,
    date: '2026-03-11',
    sleep_start_time: '2026-03-10T23:10:00+13:00',
    sleep_end_time: '2026-03-11T06:40:00+13:00',
    heart_rate_samples: null,
  };
  const pages = [
    page('sleep', { nights: [auckland] }),
    page('recharge', { recharges: [{ ...recharge, hrv_samples: null }] }),
  ];
  const on = (day: string, timeZone: string) => normalized(pages, { timeZone, window: { from: day, to: day } }).records;

  test.each([
    ['Pacific/Auckland', '2026-03-11', '2026-03-10'],
    ['America/New_York', '2026-03-10', '2026-03-11'],
  ])('is in %s on %s with its measurements, and not on %s', (timeZone, own, other) => {
    expect(on(own, timeZone).sleep).toMatchObject([
      { offsetMinutes: 780, endMs: at('2026-03-10T17:40:00Z'), summary: { sleep_heart_rate: { value: 55 } } },
    ]);
    expect(on(other, timeZone).sleep).toEqual([]);
    expect([own, other].flatMap((day) => on(day, timeZone).daily)).toEqual([]);
  });
});
