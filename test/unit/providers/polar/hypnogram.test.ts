// The stages of Polar's nights, which have local times without an offset.
import { describe, expect, test } from 'vitest';
import { normalized, page } from './pages.ts';
import { night } from './payloads.ts';

/** From 21:42:30 to 05:30:30 UTC, two hours behind the clock in Helsinki. */
const read = (changes: object, options: Parameters<typeof normalized>[1] = {}) =>
  normalized([page('sleep', { nights: [{ ...night, ...changes }] })], options);
const periods = ({ records }: ReturnType<typeof normalized>) =>
  records.sleep[0]?.stages?.map(({ stage, startMs, endMs }) =>
    [stage, ...[startMs, endMs].map((ms) => new Date(ms).toISOString().slice(11, 19))].join(' '),
  );
const rejections = ({ rejected }: ReturnType<typeof normalized>) =>
  rejected.first.map(({ path, code }) => `${path} ${code}`);

describe('a hypnogram', () => {
  test('has every stage end where the next one begins, and the last where the night ends', () => {
    const result = read({
      hypnogram: { '23:42': 0, '23:50': 2, '00:10': 3, '00:30': 4, '01:15': 1, '07:00': 5, '07:10': 2 },
    });
    expect(periods(result)).toEqual([
      'awake 21:42:30 21:50:00',
      'light 21:50:00 22:10:00',
      'light 22:10:00 22:30:00',
      'deep 22:30:00 23:15:00',
      'rem 23:15:00 05:00:00',
      'unknown 05:00:00 05:10:00',
      'light 05:10:00 05:30:30',
    ]);
    expect(result.rejected.count).toBe(0);
  });

  test('reads the same in any order', () => {
    const hypnogram = { '00:10': 4, '01:00': 1, '23:42': 2 };
    expect(periods(read({ hypnogram }))).toEqual([
      'light 21:42:30 22:10:00',
      'deep 22:10:00 23:00:00',
      'rem 23:00:00 05:30:30',
    ]);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', {}],
  ])('that is %s leaves the night without stages and everything else as it is', (_name, hypnogram) => {
    const result = read({ hypnogram });
    expect(result.records.sleep).toMatchObject([{ deepMinutes: 83.33333333333333, inBedMinutes: 468 }]);
    expect(result.records.sleep[0]).not.toHaveProperty('stages');
    expect(result.rejected.count).toBe(0);
    expect(result.records.covered).toMatchObject([{ sleep: true }]);
  });

  test.each([
    ['a list', [2, 4]],
    ['a text', '2,4'],
  ])('that is %s is rejected alone, and the night keeps the stages that it has', (_name, hypnogram) => {
    const result = read({ hypnogram });
    expect(result.records.sleep).toMatchObject([{ deepMinutes: 83.33333333333333, keepsStages: true }]);
    expect(result.records.sleep[0]).not.toHaveProperty('stages');
    expect(rejections(result)).toEqual(['sleep.0.0.hypnogram implausible_value']);
    expect(result.records.covered).toMatchObject([{ sleep: true }]);
  });

  test('has an unknown stage where the code is not documented', () => {
    const hypnogram = { '23:42': 2, '00:10': 6, '00:20': -1, '00:30': '4', '00:40': null, '00:50': 4 };
    expect(periods(read({ hypnogram }))).toEqual([
      'light 21:42:30 22:10:00',
      'unknown 22:10:00 22:20:00',
      'unknown 22:20:00 22:30:00',
      'unknown 22:30:00 22:40:00',
      'unknown 22:40:00 22:50:00',
      'deep 22:50:00 05:30:30',
    ]);
  });

  test.each(['25:00', 'noon', '', '1:05', '23:42:99'])(
    'with a stage at %j, which is no time of day, is left out, and its days are still covered',
    (time) => {
      const result = read({ hypnogram: { '23:42': 2, [time]: 4 } });
      expect(periods(result)).toBeUndefined();
      expect(rejections(result)).toEqual(['sleep.0.0.hypnogram implausible_value']);
      expect(result.records.covered).toMatchObject([{ sleep: true }]);
    },
  );

  test('loses the stages that begin after the night', () => {
    const result = read({ hypnogram: { '23:42': 2, '07:00': 4, '07:31': 0, '08:00': 2 } });
    expect(periods(result)).toEqual(['light 21:42:30 05:00:00', 'deep 05:00:00 05:30:30']);
    expect(rejections(result)).toEqual([
      'sleep.0.0.hypnogram.07:31 implausible_value',
      'sleep.0.0.hypnogram.08:00 implausible_value',
    ]);
  });

  test('of a night of more than 22 hours is left out, because a time of day may occur twice in it', () => {
    const long = { sleep_start_time: '2026-03-10T06:00:00+02:00', sleep_end_time: '2026-03-11T05:00:00+02:00' };
    expect(periods(read({ ...long, hypnogram: { '06:00': 2 } }))).toBeUndefined();
  });
});

describe('the times of a hypnogram', () => {
  test('follow the offset of the night, wherever the user lives', () => {
    const hypnogram = { '23:42': 2, '00:10': 4 };
    expect(periods(read({ hypnogram }, { timeZone: 'America/New_York' }))).toEqual([
      'light 21:42:30 22:10:00',
      'deep 22:10:00 05:30:30',
    ]);
    expect(periods(read({ hypnogram }, { timeZone: null }))).toEqual([
      'light 21:42:30 22:10:00',
      'deep 22:10:00 05:30:30',
    ]);
  });

  test('follow the zone of the user when the night has no offset, and are unknown without a zone', () => {
    const inUtc = { sleep_start_time: '2026-03-10T21:42:30Z', sleep_end_time: '2026-03-11T05:30:30Z' };
    const hypnogram = { '23:42': 2, '00:10': 4 };
    expect(periods(read({ ...inUtc, hypnogram }))).toEqual(['light 21:42:30 22:10:00', 'deep 22:10:00 05:30:30']);
    expect(periods(read({ ...inUtc, hypnogram }, { timeZone: null }))).toBeUndefined();
  });

  const autumn = {
    timeZone: 'Europe/Helsinki',
    window: { from: '2026-10-25', to: '2026-10-25' },
    received: '2026-10-26T12:00:00Z',
  };
  const ofAutumn = {
    date: '2026-10-25',
    sleep_start_time: '2026-10-24T23:00:00+03:00',
    sleep_end_time: '2026-10-25T06:00:00+02:00',
    heart_rate_samples: null,
  };

  test('when clocks go forward, skip the hour that does not exist', () => {
    const spring = { ...autumn, window: { from: '2026-03-29', to: '2026-03-29' }, received: '2026-03-29T12:00:00Z' };
    const result = read(
      {
        date: '2026-03-29',
        sleep_start_time: '2026-03-28T23:00:00+02:00',
        sleep_end_time: '2026-03-29T07:00:00+03:00',
        light_sleep: 9000,
        hypnogram: { '23:00': 2, '02:30': 4, '04:30': 1 },
      },
      spring,
    );
    expect(periods(result)).toEqual(['light 21:00:00 00:30:00', 'deep 00:30:00 01:30:00', 'rem 01:30:00 04:00:00']);
  });

  test('when clocks go back, are left out in the hour that occurs twice', () => {
    // The hour from 03:00 to 04:00 begins at 00:00 UTC, and again at 01:00 UTC.
    const result = read(
      { ...ofAutumn, hypnogram: { '23:00': 2, '02:50': 4, '03:20': 1, '03:40': 2, '04:10': 1, '05:00': 2 } },
      autumn,
    );
    expect(periods(result)).toEqual([
      'light 20:00:00 23:50:00',
      'deep 23:50:00 00:20:00',
      'rem 02:10:00 03:00:00',
      'light 03:00:00 04:00:00',
    ]);
    expect(result.rejected.count).toBe(0);
  });

  test('when clocks go back elsewhere, are left out, because nobody says when', () => {
    const hypnogram = { '23:00': 2, '02:50': 4 };
    expect(periods(read({ ...ofAutumn, hypnogram }, { ...autumn, timeZone: 'Asia/Tokyo' }))).toBeUndefined();
  });

  test('of a night with one offset are those of that offset, also when clocks go back at home', () => {
    const oneOffset = { ...ofAutumn, sleep_end_time: '2026-10-25T07:00:00+03:00' };
    expect(periods(read({ ...oneOffset, hypnogram: { '23:00': 2, '03:20': 4, '04:10': 1 } }, autumn))).toEqual([
      'light 20:00:00 00:20:00',
      'deep 00:20:00 01:10:00',
      'rem 01:10:00 04:00:00',
    ]);
  });
});
