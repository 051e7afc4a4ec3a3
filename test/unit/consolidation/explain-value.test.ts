import { describe, expect, test } from 'vitest';
import type { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import type { DeviceType } from '../../../shared/catalog/provider.ts';
import { type DayToExplain, explainValue } from '../../../shared/consolidation/explain-value.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import { leftOutReasons } from '../../../shared/consolidation/merge-recorder.ts';
import { defaultSettings } from '../../../shared/consolidation/settings.ts';
import { buildTimeline } from '../../../shared/measurements/build-timeline.ts';
import {
  emptyNormalizedRow,
  type Mark,
  marks,
  type NormalizedRow,
} from '../../../shared/measurements/codec/normalized-day.ts';
import { type Piece, TimelineMap } from '../../../shared/measurements/timeline.ts';
import { explainRandomDays } from './test-explanations.ts';

const hourMs = 3_600_000;
const makeDevice = (ordinal: number, provider: string, deviceType: DeviceType): MergeDevice => ({
  ordinal,
  provider,
  deviceType,
  connection: 'cloud',
  id: `dev_${ordinal}`,
  connectedMs: ordinal,
});
const watch = makeDevice(0, 'garmin', 'wrist');
const ring = makeDevice(1, 'oura', 'ring');
const phone = makeDevice(2, 'strava', 'phone');
const oldPhone = makeDevice(3, 'strava', 'app');

/** Values that the device states. */
function stated(
  device: MergeDevice,
  values: Partial<Record<MetricId, number>>,
  mark: Mark = marks.stated,
): NormalizedRow {
  const row = emptyNormalizedRow(device.ordinal);
  for (const [id, value] of Object.entries(values) as [MetricId, number][]) {
    row.values[metricRow(id).index] = value;
    row.marks[metricRow(id).index] = mark;
  }
  return row;
}
/** Steps with their times, in hours. */
function walked(device: MergeDevice, ...walks: [from: number, to: number, steps: number][]): NormalizedRow {
  const row = emptyNormalizedRow(device.ordinal);
  const { index } = metricRow('steps');
  const timeline = buildTimeline(
    walks.map(([from, to, value]): Piece => ({ startMs: from * hourMs, endMs: to * hourMs, value })),
  );
  row.values[index] = timeline.total;
  row.timelines = new TimelineMap([[index, timeline]]);
  return row;
}
const explain = (
  metric: MetricId,
  rows: NormalizedRow[],
  settings: Partial<ConsolidationSettings> = {},
  more: Partial<DayToExplain> = {},
) =>
  explainValue(metric, {
    devices: [watch, ring, phone, oldPhone],
    settings: { ...defaultSettings, ...settings },
    rows,
    adjacentRows: [],
    ...more,
  });
const reasonsOf = (...args: Parameters<typeof explain>) =>
  explain(...args).leftOut.map(({ ordinal, value, reason, periods }) => [ordinal, value, reason, periods]);

test('random days explain every value, by every rule and with every reason', () => {
  const seen = explainRandomDays(200);
  expect(leftOutReasons.filter((reason) => !seen.has(reason))).toEqual(['counted_on_another_day']);
});

describe('a value merged by period', () => {
  const rows = [walked(watch, [8, 10, 1_000]), walked(phone, [9, 11, 800], [12, 13, 50])];

  test('lists what each device measured when, and how much of it counted', () => {
    const { value, source, rule, devices, periods } = explain('steps', rows);
    expect([value, source, rule]).toEqual([
      1_450,
      0,
      { key: 'steps', method: 'merge', overridden: false, averagedOver: null, sumOf: null },
    ]);
    expect(devices).toEqual([
      { ordinal: 0, rank: 1, enabled: true, reported: 'samples', ownValue: 1_000, counted: 1_000 },
      { ordinal: 1, rank: 2, enabled: true, reported: null, ownValue: null, counted: null },
      { ordinal: 2, rank: 3, enabled: true, reported: 'samples', ownValue: 850, counted: 450 },
      { ordinal: 3, rank: 4, enabled: true, reported: null, ownValue: null, counted: null },
    ]);
    expect(
      periods.map(({ ordinal, startMs, endMs, value: measured, counted }) => [
        ordinal,
        startMs / hourMs,
        endMs / hourMs,
        measured,
        counted,
      ]),
    ).toEqual([
      [0, 8, 10, 1_000, 1_000],
      [2, 9, 11, 800, 400],
      [2, 12, 13, 50, 50],
    ]);
  });

  test('leaves out what a higher-ranked device measured at the same time', () => {
    expect(reasonsOf('steps', rows)).toEqual([[2, 400, 'measured_by_a_higher_rank', 1]]);
  });

  test('leaves out a total without times where another device has samples, and its samples compete', () => {
    expect(reasonsOf('steps', [walked(watch, [8, 10, 1_000]), stated(phone, { steps: 700 })])).toEqual([
      [2, 700, 'total_where_samples_exist', 0],
    ]);
    const both = walked(phone, [9, 11, 800]);
    both.values[metricRow('steps').index] = 900;
    both.marks[metricRow('steps').index] = marks.stated;
    const explained = explain('steps', [walked(watch, [8, 10, 1_000]), both]);
    expect(explained.value).toBe(1_400);
    expect(explained.leftOut).toEqual([
      { ordinal: 2, value: 400, reason: 'measured_by_a_higher_rank', periods: 1 },
      { ordinal: 2, value: 100, reason: 'total_where_samples_exist', periods: 0 },
    ]);
  });

  test('is the total of the highest-ranked device that states one', () => {
    const explained = explain('steps', [stated(watch, { steps: 900 }), walked(phone, [9, 11, 800])]);
    expect([explained.value, explained.leftOut]).toEqual([
      900,
      [{ ordinal: 2, value: 800, reason: 'total_of_a_higher_rank', periods: 0 }],
    ]);
    expect(explained.periods).toMatchObject([{ ordinal: 2, value: 800, counted: 0 }]);
    expect(reasonsOf('steps', [stated(watch, { steps: 900 }), stated(phone, { steps: 700 })])).toEqual([
      [2, 700, 'total_of_a_higher_rank', 0],
    ]);
  });

  test('of a single device lists its periods whole', () => {
    const explained = explain('steps', [walked(phone, [9, 11, 800])]);
    expect([explained.periods, explained.leftOut]).toMatchObject([[{ value: 800, counted: 800 }], []]);
  });

  test('of a person who travels names what its time recorded on another day', () => {
    const day = { span: { startMs: 0, endMs: 24 * hourMs }, rows: [walked(phone, [22, 26, 400], [30, 31, 7])] };
    expect(reasonsOf('steps', [walked(watch, [8, 10, 1_000])], {}, { elsewhere: day })).toEqual([
      [2, 200, 'counted_on_another_day', 1],
    ]);
  });

  test('of a person who travels counts moments whole, and nothing before the day or from its end on', () => {
    const rows = [walked(phone, [-5, -3, 11], [10, 10, 50], [24, 24, 9])];
    const day = { span: { startMs: 0, endMs: 24 * hourMs }, rows };
    expect(reasonsOf('steps', [walked(watch, [8, 10, 1_000])], {}, { elsewhere: day })).toEqual([
      [2, 50, 'counted_on_another_day', 1],
    ]);
  });
});

describe('a null', () => {
  test('of which nobody measured anything lists the devices and leaves out nothing', () => {
    const explained = explain('weight', []);
    expect([explained.value, explained.source, explained.leftOut]).toEqual([null, null, []]);
    expect(explained.devices).toHaveLength(4);
  });

  test('of a disabled provider names what it measured', () => {
    const rows = [walked(watch, [8, 10, 1_000])];
    const explained = explain('steps', rows, { disabledFor: { steps: ['garmin'] } });
    expect([explained.value, explained.leftOut]).toEqual([
      null,
      [{ ordinal: 0, value: 1_000, reason: 'disabled', periods: 0 }],
    ]);
    expect(explained.periods).toMatchObject([{ ordinal: 0, value: 1_000, counted: 0 }]);
  });

  test('of a group names the values of the devices that do not supply the group', () => {
    const rows = [
      stated(watch, { blood_pressure_systolic: 120 }),
      stated(ring, { blood_pressure_systolic: 124, blood_pressure_diastolic: 82 }),
    ];
    expect(explain('blood_pressure_diastolic', rows).value).toBeNull();
    expect(reasonsOf('blood_pressure_diastolic', rows)).toEqual([[1, 82, 'group_of_another_device', 0]]);
    expect(reasonsOf('blood_pressure_systolic', rows)).toEqual([[1, 124, 'lower_rank', 0]]);
  });
});

describe('a night', () => {
  const rows = [
    stated(ring, { time_in_bed: 500 }, marks.night),
    stated(watch, { asleep: 420, time_in_bed: 460 }, marks.night),
    stated(phone, { asleep: 480, time_in_bed: 490 }, marks.night),
  ];

  test('is what was derived for a metric of the night, which has no samples of its own', () => {
    const { devices } = explain('asleep', [stated(watch, { asleep: 420 }, marks.derived)]);
    expect(devices.filter(({ ownValue }) => ownValue !== null)).toMatchObject([{ reported: 'night', ownValue: 420 }]);
  });

  test('comes from the device that measured the time asleep, although a higher-ranked one has a part of it', () => {
    const explained = explain('time_in_bed', rows);
    expect([explained.value, explained.source, explained.devices[0]]).toEqual([
      460,
      0,
      { ordinal: 1, rank: 1, enabled: true, reported: 'night', ownValue: 500, counted: null },
    ]);
    expect(reasonsOf('time_in_bed', rows)).toEqual([
      [1, 500, 'group_of_another_device', 0],
      [2, 490, 'lower_rank', 0],
    ]);
  });

  test('under max is the largest value of each metric', () => {
    const settings = { methods: { sleep: 'max' } } as const;
    expect(reasonsOf('asleep', rows, settings)).toEqual([[0, 420, 'smaller_value', 0]]);
    expect(explain('time_in_bed', rows, settings)).toMatchObject({ value: 500, source: 1 });
    expect(reasonsOf('time_in_bed', rows, settings)).toEqual([
      [0, 460, 'smaller_value', 0],
      [2, 490, 'smaller_value', 0],
    ]);
  });

  test('that was stored under the first rule is explained by that rule', () => {
    const stages = [
      stated(ring, { asleep: 400, rem_sleep: 90 }, marks.night),
      stated(watch, { asleep: 420, deep_sleep: 60 }, marks.night),
    ];
    expect(explain('deep_sleep', stages)).toMatchObject({ value: 60, source: 0, leftOut: [] });
    const before = explain('deep_sleep', stages, {}, { mergeRule: 1 });
    expect(before).toMatchObject({ value: null, source: null });
    expect(before.leftOut).toEqual([{ ordinal: 0, value: 60, reason: 'group_of_another_device', periods: 0 }]);
  });

  test('of two devices adds up their deep and REM sleep, and says what each gave', () => {
    const stages = [
      stated(ring, { asleep: 400, deep_sleep: 60 }, marks.night),
      stated(watch, { asleep: 420, deep_sleep: 50, rem_sleep: 80, restorative_sleep: 130 }, marks.night),
    ];
    const explained = explain('restorative_sleep', stages);
    expect([explained.value, explained.source, explained.rule.sumOf]).toEqual([140, 0, ['deep_sleep', 'rem_sleep']]);
    expect(explained.devices.slice(0, 2)).toMatchObject([
      { ordinal: 1, reported: null, ownValue: null, counted: 60 },
      { ordinal: 0, reported: 'night', ownValue: 130, counted: 80 },
    ]);
    expect(explained.leftOut).toEqual([{ ordinal: 0, value: 50, reason: 'deep_and_rem_sleep_count', periods: 0 }]);
  });
});

describe('a value of several providers', () => {
  const rows = [
    stated(watch, { resting_heart_rate: 60 }),
    stated(ring, { resting_heart_rate: 62 }),
    stated(phone, { resting_heart_rate: 62 }),
    stated(oldPhone, { resting_heart_rate: 70 }),
  ];

  test('that is a mean says over how many, and which device of a provider entered', () => {
    const explained = explain('resting_heart_rate', rows, { methods: { resting_heart_rate: 'avg' } });
    expect(explained.rule).toMatchObject({
      key: 'resting_heart_rate',
      method: 'avg',
      overridden: true,
      averagedOver: 3,
    });
    expect(explained.devices.map(({ counted }) => counted)).toEqual([60, 62, 62, null]);
    expect(explained.leftOut).toEqual([
      { ordinal: 3, value: 70, reason: 'another_device_of_the_provider', periods: 0 },
    ]);
  });

  test('that is the largest says which are smaller, and that the higher rank wins a tie', () => {
    expect(reasonsOf('resting_heart_rate', rows, { methods: { resting_heart_rate: 'max' } })).toEqual([
      [0, 60, 'smaller_value', 0],
      [2, 62, 'lower_rank', 0],
      [3, 70, 'lower_rank', 0],
    ]);
  });

  test('counts no period of a provider that is not the largest', () => {
    const walks = [walked(watch, [8, 10, 1_000]), walked(phone, [9, 11, 800], [12, 13, 500])];
    const explained = explain('steps', walks, { methods: { steps: 'max' } });
    expect([explained.value, explained.periods.map(({ counted }) => counted)]).toEqual([1_300, [0, 800, 500]]);
  });
});
