import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MobileScope } from '../../../../shared/catalog/mobile-scopes.ts';
import { workoutMeasures } from '../../../../shared/catalog/workout-measures.ts';
import { readDate, readInstant, readOffset } from '../../../../shared/providers/phone/read-time.ts';
import { readUpload } from '../../../../shared/providers/phone/read-upload.ts';

const nowMs = Date.parse('2026-03-14T12:00:00Z');
const everything = MobileScope.options;

const read = (lists: object, scopes: readonly string[] = everything) =>
  readUpload(
    { time_zone: 'Europe/Berlin', device: { name: '', model: 'Watch7,5', type: 'wrist' }, ...lists },
    { scopes, nowMs },
  );
const sample = (more: object = {}) => ({
  metric: 'heart_rate',
  start: '2026-03-14T06:58:00Z',
  value: 62,
  unit: 'bpm',
  ...more,
});
const daily = (more: object = {}) => ({ date: '2026-03-13', metric: 'steps', value: 9412, unit: 'count', ...more });
const night = (more: object = {}) => ({ start: '2026-03-13T22:00:00Z', end: '2026-03-14T06:00:00Z', ...more });
const run = (more: object = {}) => ({
  type: 'running',
  start: '2026-03-14T05:00:00Z',
  end: '2026-03-14T06:00:00Z',
  ...more,
});
const problems = (lists: object, scopes?: readonly string[]) =>
  read(lists, scopes).rejected.first.map(({ path, code }) => `${path} ${code}`);

describe('valid records', () => {
  test('are read into the common vocabulary', () => {
    const { records, accepted, rejected, device } = read({
      samples: [sample(), sample({ start: '2026-03-14T08:00:00.25+01:00', end: '2026-03-14T08:01:00+01:00' })],
      daily: [daily()],
      sleep: [night({ utc_offset: '-03:30', deep_minutes: 74.4, asleep_minutes: 430 })],
      workouts: [run({ name: 'Morning', distance_km: 7.4242, heart_rate: [], steps: 6730 })],
    });
    expect([accepted, rejected.count, device.model]).toEqual([5, 0, 'Watch7,5']);
    expect(records.samples).toEqual([
      {
        metric: 'heart_rate',
        value: 62,
        startMs: Date.parse('2026-03-14T06:58:00Z'),
        endMs: Date.parse('2026-03-14T06:58:00Z'),
        offsetMinutes: null,
      },
      {
        metric: 'heart_rate',
        value: 62,
        startMs: Date.parse('2026-03-14T07:00:00.250Z'),
        endMs: Date.parse('2026-03-14T07:01:00Z'),
        offsetMinutes: 60,
      },
    ]);
    expect(records.daily).toEqual([{ metric: 'steps', value: 9412, date: '2026-03-13' }]);
    expect(records.sleep).toEqual([
      {
        startMs: Date.parse('2026-03-13T22:00:00Z'),
        endMs: Date.parse('2026-03-14T06:00:00Z'),
        offsetMinutes: -210,
        asleepMinutes: 430,
        deepMinutes: 74.4,
        lightMinutes: null,
        remMinutes: null,
        awakeMinutes: null,
        inBedMinutes: null,
      },
    ]);
    expect(records.workouts[0]).toMatchObject({
      sourceType: 'running',
      name: 'Morning',
      distanceKm: 7.4242,
      heartRate: null,
    });
    expect(records.workouts[0]).toMatchObject({ calories: null, maxHeartRate: null, steps: 6730 });
  });

  test.each([
    ['weight', 150, 'lb', 68.0388555, { value: 150, unit: 'lb' }],
    ['weight', 68.039, 'kg', 68.039, undefined],
    ['weight', 68.0394, 'kg', 68.0394, undefined],
    ['active_calories', 1000, 'kJ', 239.005736137667, { value: 1000, unit: 'kJ' }],
    ['body_temperature', 98.6, '°F', 37, { value: 98.6, unit: '°F' }],
    ['blood_oxygen', 0.97, 'fraction', 97, { value: 0.97, unit: 'fraction' }],
    ['blood_glucose', 5.5, 'mmol/L', 99.1001, { value: 5.5, unit: 'mmol/L' }],
    ['heart_rate', 61, 'count/min', 61, { value: 61, unit: 'count/min' }],
  ])('%s %d %s is stored as %d', (metric, value, unit, canonical, original) => {
    const [got] = read({ samples: [sample({ metric, value, unit })] }).records.samples;
    expect([got?.value, got?.original]).toEqual([canonical, original]);
  });

  test('null equals absent, and unknown fields are ignored', () => {
    const { accepted } = read({
      samples: [sample({ end: null, utc_offset: null, source: 'x' })],
      sleep: [night({ rem_minutes: null })],
      workouts: [run({ name: null, heart_rate: null, calories: null })],
    });
    expect(accepted).toBe(3);
  });

  test.each([
    ['steps', 'count', 25, []],
    ['steps', 'count', 25 + 1 / 3_600_000, ['samples.0.end implausible_value']],
    ['heart_rate', 'bpm', 26, []],
  ])('a sample of %s in %s over %d hours: %j', (metric, unit, hours, expected) => {
    const end = new Date(Date.parse('2026-03-12T06:00:00Z') + hours * 3_600_000).toISOString();
    expect(problems({ samples: [sample({ metric, unit, start: '2026-03-12T06:00:00Z', end })] })).toEqual(expected);
  });

  test('a sleep session has the offset of its end, a workout that of its start', () => {
    const between = { start: '2026-03-13T22:00:00+01:00', end: '2026-03-14T06:00:00+02:00' };
    const { sleep, workouts } = read({ sleep: [between], workouts: [run(between)] }).records;
    expect([sleep[0]?.offsetMinutes, workouts[0]?.offsetMinutes]).toEqual([120, 60]);
  });

  test('a workout stores the measures that its source supplied, as sent, and nothing else', () => {
    const measures = {
      strain: 12.4321,
      avg_mets: 9.6,
      weather_temperature_c: -3.25,
      weather_humidity_pct: 0,
      swimming_stroke_count: 812,
      swimming_lap_length_m: 22.86,
    };
    const [full, empty] = read({ workouts: [run(measures), run({ strain: null })] }).records.workouts;
    expect(full).toMatchObject({
      strain: 12.4321,
      avgMets: 9.6,
      weatherTemperatureC: -3.25,
      weatherHumidityPct: 0,
      swimmingStrokeCount: 812,
      swimmingLapLengthM: 22.86,
    });
    for (const { key } of workoutMeasures) expect(empty).not.toHaveProperty(key);
  });

  test('the points of a trace are in order of time', () => {
    const points = [3, 1, 2].map((minute) => ({ timestamp: `2026-03-14T05:0${minute}:00Z`, bpm: 100 + minute }));
    const [workout] = read({ workouts: [run({ heart_rate: points })] }).records.workouts;
    expect(workout?.heartRate?.map(({ bpm }) => bpm)).toEqual([101, 102, 103]);
  });

  test('every list may be missing', () => expect(read({}).accepted).toBe(0));
});

describe('invalid records', () => {
  test.each([
    ['an unknown metric', { metric: 'mood' }, 'metric unknown_metric'],
    ['a metric named like an object property', { metric: 'constructor' }, 'metric unknown_metric'],
    ['no metric', { metric: undefined }, 'metric invalid_record'],
    ['a heart rate of 900', { value: 900 }, 'value implausible_value'],
    ['a heart rate of 900 in hertz', { value: 15, unit: 'Hz' }, 'value implausible_value'],
    ['a value as a string', { value: '62' }, 'value invalid_record'],
    ['an infinite value', { value: Number.POSITIVE_INFINITY }, 'value invalid_record'],
    ['no value', { value: undefined }, 'value invalid_record'],
    ['a unit of another dimension', { unit: 'kg' }, 'unit invalid_unit'],
    ['a unit named like an object property', { unit: '__proto__' }, 'unit invalid_unit'],
    ['no unit', { unit: undefined }, 'unit invalid_unit'],
    ['a start without a zone', { start: '2026-03-14T06:58:00' }, 'start invalid_time'],
    ['a date instead of a start', { start: '2026-03-14' }, 'start invalid_time'],
    ['a start as a number', { start: 1773471480000 }, 'start invalid_time'],
    ['no start', { start: undefined }, 'start invalid_time'],
    ['a day that does not exist', { start: '2026-02-30T06:58:00Z' }, 'start invalid_time'],
    ['an hour that does not exist', { start: '2026-03-13T24:00:00Z' }, 'start invalid_time'],
    ['an offset that does not exist', { start: '2026-03-13T06:00:00+15:00' }, 'start invalid_time'],
    ['a clock that was never set', { start: '1969-12-31T23:59:59Z' }, 'start invalid_time'],
    ['more than a day in the future', { start: '2026-03-15T12:00:01Z' }, 'start invalid_time'],
    ['an end far in the future', { end: '2027-03-14T06:58:00Z' }, 'end invalid_time'],
    ['an end before its start', { end: '2026-03-14T06:57:59Z' }, 'end invalid_time'],
    ['an offset as a zone name', { utc_offset: 'Berlin' }, 'utc_offset invalid_time'],
    ['an offset without a colon', { utc_offset: '+0100' }, 'utc_offset invalid_time'],
  ])('a sample with %s is rejected by its path', (_what, more, problem) => {
    expect(problems({ samples: [sample(), sample(more), sample()] })).toEqual([`samples.1.${problem}`]);
  });

  test.each([[null], [7], ['text'], [[]], [true]])('%j is not a record', (record) => {
    const lists = { samples: [record], daily: [record], sleep: [record], workouts: [record] };
    expect(problems(lists)).toEqual([
      'samples.0 invalid_record',
      'daily.0 invalid_record',
      'sleep.0 invalid_record',
      'workouts.0 invalid_record',
    ]);
  });

  test.each([
    ['a day that does not exist', { date: '2026-02-30' }, 'date invalid_time'],
    ['an instant instead of a date', { date: '2026-03-13T00:00:00Z' }, 'date invalid_time'],
    ['the day after tomorrow', { date: '2026-03-16' }, 'date invalid_time'],
    ['too many steps', { value: 200_001 }, 'value implausible_value'],
    ['fewer than zero steps', { value: -1 }, 'value implausible_value'],
  ])('a daily total with %s is rejected', (_what, more, problem) => {
    expect(problems({ daily: [daily(more)] })).toEqual([`daily.0.${problem}`]);
  });

  test('a date is accepted once it has begun in some time zone', () => {
    expect(problems({ daily: [daily({ date: '2026-03-15' })] })).toEqual([]);
  });

  test.each([
    ['no end', { end: undefined }, 'sleep.0.end invalid_time'],
    ['no length', { end: '2026-03-13T22:00:00Z' }, 'sleep.0.end invalid_time'],
    ['more than a day', { start: '2026-03-12T22:00:00Z' }, 'sleep.0.end implausible_value'],
    ['more deep sleep than sleep', { deep_minutes: 486 }, 'sleep.0.deep_minutes implausible_value'],
    ['stages that add up to more', { deep_minutes: 300, light_minutes: 300 }, 'sleep.0 implausible_value'],
    ['less than zero minutes', { awake_minutes: -1 }, 'sleep.0.awake_minutes implausible_value'],
    ['minutes as a string', { rem_minutes: '12' }, 'sleep.0.rem_minutes invalid_record'],
  ])('a sleep session with %s is rejected', (_what, more, problem) => {
    expect(problems({ sleep: [night(more)] })).toEqual([problem]);
  });

  test('time in bed may exceed the duration of the sleep session', () => {
    expect(problems({ sleep: [night({ in_bed_minutes: 540, deep_minutes: 484 })] })).toEqual([]);
  });

  test.each([
    ['no type', { type: undefined }, 'type invalid_record'],
    ['an empty type', { type: '' }, 'type invalid_record'],
    ['a lone surrogate', { name: '\ud800' }, 'name invalid_record'],
    ['no length', { end: '2026-03-14T05:00:00Z' }, 'end invalid_time'],
    ['an impossible heart rate', { max_heart_rate: 900 }, 'max_heart_rate implausible_value'],
    ['a trace that is not a list', { heart_rate: {} }, 'heart_rate invalid_record'],
    ['a point that is not an object', { heart_rate: [7] }, 'heart_rate.0 invalid_record'],
    [
      'an impossible point',
      {
        heart_rate: [
          { timestamp: '2026-03-14T05:01:00Z', bpm: 120 },
          { timestamp: '2026-03-14T05:02:00Z', bpm: 900 },
        ],
      },
      'heart_rate.1.bpm implausible_value',
    ],
    [
      'a point outside the workout',
      { heart_rate: [{ timestamp: '2026-03-13T05:01:00Z', bpm: 120 }] },
      'heart_rate.0.timestamp invalid_time',
    ],
  ])('a workout with %s is rejected', (_what, more, problem) => {
    expect(problems({ workouts: [run(more)] })).toEqual([`workouts.0.${problem}`]);
  });

  test.each(workoutMeasures)(
    'a workout with $name outside $range is rejected, but not at its limits',
    ({ name, range }) => {
      const [min, max] = range;
      const inputs = [min - 0.1, min, max, max + 0.1, String(min)];
      expect(problems({ workouts: inputs.map((value) => run({ [name]: value })) })).toEqual([
        `workouts.0.${name} implausible_value`,
        `workouts.3.${name} implausible_value`,
        `workouts.4.${name} invalid_record`,
      ]);
    },
  );

  test("records outside the session's scopes are rejected, the others are stored", () => {
    const lists = {
      samples: [sample(), sample({ metric: 'weight', value: 70, unit: 'kg' })],
      daily: [daily()],
      sleep: [night()],
      workouts: [run()],
    };
    expect(problems(lists, ['sleep', 'vitals'])).toEqual([
      'samples.1.metric insufficient_scope',
      'daily.0.metric insufficient_scope',
      'workouts.0 insufficient_scope',
    ]);
    expect(problems(lists, ['body_composition', 'activity'])).toEqual([
      'samples.0.metric insufficient_scope',
      'sleep.0 insufficient_scope',
    ]);
    expect(read(lists, []).accepted).toBe(0);
  });
});

test('accepted records read the same again, regardless of the records next to them', () => {
  const record = fc.oneof(
    fc.record({ value: fc.double(), unit: fc.constantFrom('bpm', 'kg', 'Hz') }).map(sample),
    fc.record({ start: fc.date().map(String) }).map(sample),
    fc.constantFrom(daily(), night(), run(), run({ heart_rate: [{ timestamp: '2026-03-14T05:01:00Z', bpm: 120 }] })),
    fc.anything(),
  );
  const list = fc.array(record, { maxLength: 8 });
  fc.assert(
    fc.property(list, list, list, list, (samples, dailies, sleep, workouts) => {
      const first = read({ samples, daily: dailies, sleep, workouts });
      const again = readUpload(first.acceptedBody, { scopes: everything, nowMs });
      expect(again.records).toEqual(first.records);
      expect(again.rejected.count).toBe(0);
      expect(first.accepted + first.rejected.count).toBe(
        samples.length + dailies.length + sleep.length + workouts.length,
      );
    }),
  );
});

describe('unknown fields of an upload', () => {
  test('are rejected, and change nothing else, when the batch arrives or is read again', () => {
    const record = fc.oneof(fc.constantFrom(sample(), sample({ value: 900 }), daily(), night(), run()), fc.anything());
    const known = ['time_zone', 'device', 'samples', 'daily', 'sleep', 'workouts', '__proto__'];
    const names = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('constructor', 'toString', 'sample'));
    const unknown = fc.dictionary(
      names.filter((name) => !known.includes(name)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 4 }), unknown, (samples, fields) => {
        const plain = read({ samples });
        const received = read({ ...fields, samples });
        const count = Object.keys(fields).length;
        expect([received.records, received.acceptedBody]).toEqual([plain.records, plain.acceptedBody]);
        expect([received.accepted, received.rejected.count]).toEqual([plain.accepted, plain.rejected.count + count]);
        expect(readUpload(received.acceptedBody, { scopes: everything, nowMs }).rejected.count).toBe(0);
      }),
    );
  });

  test('are listed first, ten at most, by the beginning of their names', () => {
    const long = '🫀'.repeat(5_000);
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]));
    const { rejected } = read({ ...fields, samples: Array.from({ length: 200 }, () => sample({ value: 900 })) });
    expect(rejected.count).toBe(5_200);
    expect(rejected.first.slice(0, 11).map(({ path }) => path)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `field${index}`),
      'samples.0.value',
    ]);
    expect(problems({ [long]: 1, 'half \ud83e': 2 })).toEqual([
      `${'🫀'.repeat(64)} invalid_record`,
      'half \ufffd invalid_record',
    ]);
    expect(JSON.stringify(rejected.listCounts())).not.toContain('field0');
  });
});

describe('times', () => {
  test('an instant in any offset equals the instant that Date parses', () => {
    const ms = fc.integer({ min: 86_400_000, max: Date.parse('2100-01-01') });
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(ms, offset, (at, minutes) => {
        const two = (value: number) => String(value).padStart(2, '0');
        const size = Math.abs(minutes);
        const written = new Date(at + minutes * 60_000).toISOString().replace('Z', '');
        const text = `${written}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(readInstant(text)).toEqual({ ms: at, offsetMinutes: minutes === 0 ? 0 : minutes });
        expect(readInstant(text)?.ms).toBe(Date.parse(text));
        expect(readOffset(text.slice(-6))).toBe(minutes);
        expect(readInstant(new Date(at).toISOString())).toEqual({ ms: at, offsetMinutes: null });
      }),
    );
  });

  test('a date is valid exactly when the calendar has it', () => {
    const part = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2200 }), part, part, (year, month, day) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const ms = Date.UTC(year, month - 1, day);
        const exists = new Date(ms).toISOString().slice(0, 10) === text;
        expect(readDate(text)).toBe(exists ? ms : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['2026-03-14T06:58Z', '2026-03-14T06:58:00.123456789Z', '2026-03-14T06:58:00+0100'])(
    '%s is an instant',
    (text) => expect(readInstant(text)).toBeDefined(),
  );

  test.each([
    '2026-03-14t06:58:00z',
    ' 2026-03-14T06:58:00Z',
    '2026-03-14 06:58:00Z',
    '2026-3-14T06:58:00Z',
    '2026-03-14T06:60:00Z',
    '2026-03-14T06:58:60Z',
    '2026-03-14T06:58:00+01',
    '2026-03-14T06:58:00+01:60',
    '2026-03-14T06:58.5Z',
    '+002026-03-14T06:58:00Z',
  ])('%s is not an instant', (text) => expect(readInstant(text)).toBeUndefined());
});
