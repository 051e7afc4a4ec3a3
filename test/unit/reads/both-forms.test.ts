// One read, presented in both forms: for any data, they say the same. Conversions are computed a
// second time, in exact fractions.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { form1Contract } from '../../../functions/api/reference/contract.ts';
import { type MetricId, metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { scoreIds } from '../../../shared/catalog/score-ids.ts';
import type { NoScore } from '../../../shared/catalog/score-states.ts';
import { form2ScoreIds } from '../../../shared/catalog/score-table.ts';
import { addDays, datesInRange } from '../../../shared/platform/time/local-day.ts';
import type { ValueOrigin } from '../../../shared/reads/daily/daily-sources.ts';
import { form1Daily } from '../../../shared/reads/daily/form-1.ts';
import { DailyRows } from '../../../shared/reads/daily/form-1-schema.ts';
import { form2Daily } from '../../../shared/reads/daily/form-2.ts';
import { Daily } from '../../../shared/reads/daily/form-2-schema.ts';
import type { DailyResult } from '../../../shared/reads/daily/read-daily.ts';
import { form1ScoreHistory, form1Scores } from '../../../shared/reads/scores/form-1.ts';
import { form2ScoreHistory, form2Scores } from '../../../shared/reads/scores/form-2.ts';
import { CurrentScores, ScoreColumns, ScoreHistory } from '../../../shared/reads/scores/form-2-schema.ts';
import { isScoreResult, type ScoreResult, type ScoresResult } from '../../../shared/reads/scores/read-scores.ts';
import { form1Sleep } from '../../../shared/reads/sleep/form-1.ts';
import { FlatSleepList } from '../../../shared/reads/sleep/form-1-schema.ts';
import { form2Sleep } from '../../../shared/reads/sleep/form-2.ts';
import type { NightResult } from '../../../shared/reads/sleep/read-sleep.ts';
import { form1Workouts } from '../../../shared/reads/workouts/form-1.ts';
import { WorkoutOffsetPage } from '../../../shared/reads/workouts/form-1-schema.ts';
import { form2Workout } from '../../../shared/reads/workouts/form-2.ts';
import type { WorkoutHeartRateSummary } from '../../../shared/reads/workouts/read-workouts.ts';
import { form1User, form1Users } from '../../../shared/users/form-1.ts';
import type { UserRow } from '../../../shared/users/user-rows.ts';
import { presentUser } from '../../../shared/users/users.ts';
import { deviceRow, sleepRow, workoutRow } from '../../harness/stored-data.ts';
import { fromNumber, round } from '../../oracle/rational.ts';
import { convert } from '../../oracle/units.ts';
import { newRow } from '../users/user-model.ts';

/** The reads that are compared; the last test requires every read that has two forms. */
const compared = new Set<string>();
function inBothForms(operations: readonly string[], guarantee: string, holds: () => void): void {
  for (const operation of operations) compared.add(operation);
  test(guarantee, holds);
}

const devices = (['oura', 'garmin', 'withings'] as const).map((provider, at) =>
  deviceRow({ id: `dev_01k9p3w4d6f8h0k2n4q6s8v0x${at + 2}`, provider, ordinal: at }),
);
const anyDevice = fc.constantFrom(...devices);
const firstDay = '2026-03-01';
const anySystem = fc.constantFrom('metric' as const, 'imperial' as const);

const anyOf = (metric: MetricId) => {
  const [min, max] = metricRow(metric).range;
  return fc.double({ min, max, noNaN: true }).map((value) => Number(value.toPrecision(9)));
};
const originOf = (metric: MetricId): fc.Arbitrary<ValueOrigin> =>
  fc.record({
    device: anyDevice,
    original: fc.record({ value: anyOf(metric), unit: fc.constant(metricRow(metric).unit) }),
    contributors: fc.array(fc.record({ device: anyDevice, value: anyOf(metric) }), { maxLength: 2 }),
  });

const anyDaily: fc.Arbitrary<DailyResult> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...metricIds), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 6 }))
  .chain(([metrics, length]) => {
    const range = { from: firstDay, to: addDays(firstDay, length - 1) };
    const dates = datesInRange(range.from, range.to);
    const cells = metrics.map((metric) =>
      fc.array(fc.tuple(fc.option(anyOf(metric)), originOf(metric)), { minLength: length, maxLength: length }),
    );
    return fc.tuple(fc.tuple(...cells), fc.boolean()).map(
      ([columns, withSources]): DailyResult => ({
        range,
        dates,
        metrics,
        columns: columns.map((column) => Float64Array.from(column, ([value]) => value ?? Number.NaN)),
        sources: withSources
          ? columns.map((column) => column.map(([value, origin]) => (value === null ? undefined : origin)))
          : undefined,
      }),
    );
  });

inBothForms(
  ['getDaily'],
  'daily rows are the cells of the columns that have a value, with their unit and source',
  () => {
    fc.assert(
      fc.property(anyDaily, anySystem, (read, unit_system) => {
        const options = { unit_system, include_sources: read.sources !== undefined };
        const query = { start_date: read.range.from, end_date: read.range.to, ...options };
        const { data } = DailyRows.parse(JSON.parse(form1Daily.render(read, query).text));
        const wide = Daily.parse(JSON.parse(form2Daily.render(read, options).text));
        const cells = wide.dates.flatMap((date, at) =>
          read.metrics.flatMap((metric) => {
            const value = wide.series[metric]?.[at] ?? null;
            const row = { date, metric, value, unit: wide.units?.[metric] };
            if (value === null) return [];
            return [wide.sources ? { ...row, source: wide.sources[metric]?.[at] } : row];
          }),
        );
        expect(data).toEqual(cells);
      }),
      { numRuns: 300 },
    );
  },
);

test('90 days of every metric have a row for each cell', () => {
  const range = { from: firstDay, to: addDays(firstDay, 89) };
  const dates = datesInRange(range.from, range.to);
  const columns = metricIds.map((metric) => Float64Array.from(dates, () => metricRow(metric).range[1]));
  const read = { range, dates, metrics: metricIds, columns, sources: undefined };
  const query = { start_date: range.from, end_date: range.to, include_sources: false };
  expect(JSON.parse(form1Daily.render(read, query).text).data).toHaveLength(90 * metricIds.length);
});

const minutes = fc.option(fc.double({ min: 0, max: 900, noNaN: true }).map((value) => Number(value.toPrecision(6))));
const anyOffset = fc.option(fc.integer({ min: -720, max: 840 }));
const vitals = ['sleep_heart_rate', 'sleep_blood_oxygen', 'sleep_body_temperature', 'sleep_skin_temperature'] as const;

const anyNight: fc.Arbitrary<NightResult> = fc
  .record({
    rows: fc.record({
      asleepMinutes: minutes,
      deepMinutes: minutes,
      lightMinutes: minutes,
      remMinutes: minutes,
      awakeMinutes: minutes,
      inBedMinutes: minutes,
      offsetMinutes: anyOffset,
    }),
    day: fc.integer({ min: 0, max: 20 }),
    length: fc.integer({ min: 20, max: 700 }),
    device: anyDevice,
    isMainSleep: fc.boolean(),
    efficiencyPct: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    known: fc.tuple(...vitals.map((metric) => fc.option(anyOf(metric)))),
  })
  .map(({ rows, day, length, device, isMainSleep, efficiencyPct, known }) => ({
    row: sleepRow(0, `${addDays(firstDay, day)}T22:10:30Z`, length, rows),
    date: addDays(firstDay, day + 1),
    device,
    isMainSleep,
    efficiencyPct,
    restorativeMinutes: null,
    vitalDevices: new Map(isMainSleep ? [['sleep_heart_rate', device]] : []),
    vitals: new Map(
      vitals.flatMap((metric, at): [MetricId, number][] => {
        const value = known[at] ?? null;
        return value === null ? [] : [[metric, value]];
      }),
    ),
  }));

inBothForms(
  ['listSleep'],
  'a night has the minutes, the device and the vitals that Form 2 has in its list and for its day',
  () => {
    const range = { from: firstDay, to: addDays(firstDay, 30) };
    fc.assert(
      fc.property(anyNight, anySystem, fc.boolean(), (night, unit_system, include_sources) => {
        const query = { start_date: range.from, end_date: range.to, unit_system, include_sources };
        const [flat] = FlatSleepList.parse(form1Sleep.render({ range, nights: [night] }, query)).data;
        const page = { range, zone: null, sessions: [night], next: undefined };
        const [listed] = form2Sleep.render(page, { limit: 1, include_sources }).data;
        const fields = vitals.map((metric) => {
          const value = night.vitals.get(metric);
          const { unit, imperialUnit, precision } = metricRow(metric);
          if (value === undefined) return [metric, null];
          const exact = convert(fromNumber(value), unit, unit_system === 'metric' ? unit : imperialUnit);
          return [metric, round(exact, precision)];
        });
        const vitalSources = night.isMainSleep ? { sleep_heart_rate: listed?.source_detail } : {};
        expect(flat).toEqual({
          id: listed?.id,
          date: listed?.date,
          is_main_sleep: listed?.is_main_sleep,
          start: `${listed?.start_time}.000Z`,
          end: `${listed?.end_time}.000Z`,
          utc_offset: listed?.utc_offset,
          asleep: listed?.asleep_minutes,
          time_awake: listed?.awake_minutes,
          light_sleep: listed?.light_minutes,
          deep_sleep: listed?.deep_minutes,
          REM: listed?.rem_minutes,
          restorative_sleep: null,
          time_in_bed: listed?.in_bed_minutes,
          sleep_efficiency: listed?.efficiency_pct,
          sleep_heart_rate_variability: null,
          sleep_respiratory_rate: null,
          sleep_wrist_temperature: null,
          ...Object.fromEntries(fields),
          ...(include_sources ? { source: listed?.source_detail, vital_sources: vitalSources } : {}),
        });
      }),
      { numRuns: 300 },
    );
  },
);

const measured = (max: number) =>
  fc.option(fc.double({ min: 0, max, noNaN: true }).map((value) => Number(value.toPrecision(9))));
const anyWorkout = fc.record({
  row: fc
    .record({
      calories: measured(5_000),
      distanceKm: measured(300),
      avgHeartRate: measured(220),
      maxHeartRate: measured(220),
      elevationMeters: measured(9_000),
      offsetMinutes: anyOffset,
    })
    .map((numbers) => workoutRow(0, '2026-03-14T16:05:00Z', 52, numbers)),
  device: anyDevice,
  spent: fc.option(fc.array(fc.double({ min: 0, max: 90, noNaN: true }), { minLength: 5, maxLength: 5 })),
});
const heartOf = (spent: readonly number[]): WorkoutHeartRateSummary => ({
  avgBpm: 120,
  maxBpm: 170,
  steps: [],
  startMs: 0,
  zones: ([1, 2, 3, 4, 5] as const).map((zone, at) => ({ zone, minBpm: 0, maxBpm: 0, minutes: spent[at] ?? 0 })),
});

inBothForms(
  ['listWorkouts'],
  'a workout has the numbers and zones of the full Form 2 workout, in miles and feet on request',
  () => {
    const range = { from: firstDay, to: addDays(firstDay, 30) };
    fc.assert(
      fc.property(anyWorkout, anySystem, fc.boolean(), ({ row, device, spent }, unit_system, include_sources) => {
        const heartRate = spent && heartOf(spent);
        const query = {
          start_date: range.from,
          end_date: range.to,
          unit_system,
          include_sources,
          page: 1,
          per_page: 1,
        };
        const read = { range, workouts: [{ row, device, zones: heartRate?.zones ?? null }], total: 1 };
        const [flat] = WorkoutOffsetPage.parse(form1Workouts.render(read, query)).data;
        const speeds = { averageSpeedKmh: null, averagePaceSecondsPerKm: null };
        const full = form2Workout.render({ row, device, zone: null, heartRate, ...speeds }, { include_sources });
        const inMiles = row.distanceKm === null ? null : round(convert(fromNumber(row.distanceKm), 'km', 'mi'), 2);
        const inFeet =
          row.elevationMeters === null ? null : round(convert(fromNumber(row.elevationMeters), 'm', 'ft'), 1);
        const isMetric = unit_system === 'metric';
        expect(flat).toEqual({
          id: full.id,
          sport_type: full.type,
          source_type: full.source_type,
          start: `${full.start_time}.000Z`,
          end: '2026-03-14T16:57:00.000Z',
          utc_offset: full.utc_offset,
          duration: full.duration_minutes,
          distance: isMetric ? full.distance_km : inMiles,
          active_calories: full.calories,
          heart_rate_avg: full.avg_heart_rate,
          heart_rate_max: full.max_heart_rate,
          heart_rate_zones:
            full.heart_rate &&
            Object.fromEntries(full.heart_rate.zones.map(({ zone, minutes: m }) => [`zone_${zone}`, m])),
          elevation_gain: isMetric ? full.metrics.elevation_meters : inFeet,
          ...(include_sources ? { source: full.source_detail } : {}),
        });
      }),
      { numRuns: 500 },
    );
  },
);

const anyScore: fc.Arbitrary<ScoreResult | NoScore> = fc.oneof(
  fc.record({
    value: fc.integer({ min: 0, max: 100 }),
    factors: fc.array(
      fc.record({
        name: fc.constant('sleep' as const),
        contribution: fc.integer({ min: 0, max: 100 }),
        direction: fc.constant('neutral' as const),
      }),
      { maxLength: 2 },
    ),
    confidence: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    version: fc.constant(2),
    isProvisional: fc.boolean(),
    computedMs: fc.constant(Date.UTC(2026, 2, 14)),
  }),
  fc.constant<NoScore>({ status: 'missing', reason: 'no_data' }),
  fc.constant<NoScore>({ status: 'calibrating', days: 3, needed: 5 }),
);
const anyScores: fc.Arbitrary<ScoresResult> = fc
  .tuple(...scoreIds.map(() => fc.array(anyScore, { minLength: 4, maxLength: 4 })))
  .map((columns) => {
    const range = { from: firstDay, to: addDays(firstDay, 3) };
    const dates = datesInRange(range.from, range.to);
    return { range, zone: null, dates, columns: scoreIds.map((id, at) => ({ id, entries: columns[at] ?? [] })) };
  });

inBothForms(
  ['getScores', 'getScoreHistory'],
  'scores in rows, and the current ones, are those of the columns; only Form 1 has the sixth',
  () => {
    fc.assert(
      fc.property(anyScores, fc.boolean(), (read, include_missing) => {
        const five = { ...read, columns: read.columns.filter(({ id }) => form2ScoreIds.some((other) => other === id)) };
        const days = { start_date: read.range.from, end_date: read.range.to, include_missing };
        const rows = ScoreHistory.parse(form1ScoreHistory.render(read, days)).data;
        const sixth = 'energy_reserve_score';
        expect(rows.filter(({ type }) => type !== sixth)).toEqual(form2ScoreHistory.render(five, days).data);
        const columns = ScoreColumns.parse(form2Scores.render(five, { include_factors: true, include_status: false }));
        const current = CurrentScores.parse(form1Scores.render(read, undefined));
        expect(
          current.data.filter(({ type }) => type !== sixth).map(({ computed_at: _when, ...fields }) => fields),
        ).toEqual(
          form2ScoreIds.flatMap((type) => {
            const latest = columns.latest[type];
            if (!latest) return [];
            const { previous_value: _before, ...about } = latest;
            return [{ type, ...about, factors: columns.factors?.[type]?.[columns.dates.indexOf(latest.date)] }];
          }),
        );
        expect(Object.fromEntries(Object.entries(current.status).filter(([id]) => id !== sixth))).toEqual(
          columns.status,
        );
        const reserve = read.columns.find(({ id }) => id === sixth)?.entries ?? [];
        const values = reserve.flatMap((entry) => (isScoreResult(entry) ? [entry.value] : []));
        expect(rows.flatMap(({ type, value }) => (type === sixth && value !== null ? [value] : []))).toEqual(values);
        expect(current.data.find(({ type }) => type === sixth)?.value).toBe(values.at(-1));
      }),
      { numRuns: 200 },
    );
  },
);

const anyTime = fc.option(fc.integer({ min: 0, max: Date.UTC(2030, 0) }));
const anyUser: fc.Arbitrary<UserRow> = fc
  .record({
    reference: fc.option(fc.string({ minLength: 1 })),
    timezone: fc.option(fc.constantFrom('Europe/Berlin', 'Asia/Tokyo')),
    profile: fc.record({ height_cm: fc.integer({ min: 100, max: 220 }) }, { requiredKeys: [] }),
    lastSyncMs: anyTime,
    lastScoreMs: anyTime,
  })
  .map((fields) => newRow('acc_01k9p3w0b1c3e5g7j9m1p3r5t7', fields));

inBothForms(['getUser', 'listUsers'], 'a user has the fields of Form 2, with the reference under another name', () => {
  fc.assert(
    fc.property(anyUser, (row) => {
      const { external_ref, ...rest } = presentUser(row, {});
      const flat = { ...rest, reference_id: external_ref };
      expect(form1User.render(presentUser(row, {}), {})).toEqual({ data: flat });
      const query = { page: 1, per_page: 20 };
      expect(form1Users.render({ users: [row], total: 1 }, query).data).toEqual([flat]);
    }),
  );
});

test('every read that has two forms is compared here', () => {
  const reads = form1Contract.filter(
    ({ form2Route: form1Of, route }) => form1Of !== undefined && route.method === 'get',
  );
  expect([...compared].sort()).toEqual(reads.map(({ route }) => route.operationId).sort());
});
