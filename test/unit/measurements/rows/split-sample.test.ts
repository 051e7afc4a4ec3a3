import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredSample } from '../../../../shared/measurements/codec/sample-block.ts';
import { getStartSpan, splitSampleByDay, utcDaysAround } from '../../../../shared/measurements/rows/split-sample.ts';
import { computeStageDate } from '../../../../shared/pipeline/derive-days.ts';
import { sleepDate } from '../../../../shared/pipeline/merge-sessions.ts';
import { type DayRule, localDate, utcDay } from '../../../../shared/platform/time/local-day.ts';
import { zoneOffsetSeconds } from '../../../../shared/platform/time/zone-offsets.ts';
import { sleepRow } from '../../../harness/stored-data.ts';
import { intlDate } from '../../catalog/intl-clock.ts';

const sample = (start: string, end: string, more: Partial<StoredSample> = {}): StoredSample => ({
  startMs: Date.parse(start),
  endMs: Date.parse(end),
  value: 90,
  offsetMinutes: null,
  ...more,
});
const inUtc: DayRule = { zone: null, by: 'profile' };
const byRecord: DayRule = { zone: null, by: 'recorded' };
const shares = (parts: ReturnType<typeof splitSampleByDay>) => parts.map(({ date, value }) => [date, value]);

describe('a sample across midnight', () => {
  test('is split by time, together with its original value', () => {
    const walk = sample('2026-03-10T23:00:00Z', '2026-03-11T02:00:00Z', { original: { value: 36, unit: 'm' } });
    expect(splitSampleByDay('distance', walk, inUtc)).toEqual([
      {
        date: '2026-03-10',
        startMs: walk.startMs,
        endMs: Date.parse('2026-03-11T00:00:00Z'),
        value: 30,
        original: { value: 12, unit: 'm' },
      },
      {
        date: '2026-03-11',
        startMs: Date.parse('2026-03-11T00:00:00Z'),
        endMs: walk.endMs,
        value: 60,
        original: { value: 24, unit: 'm' },
      },
    ]);
  });

  test.each<[string, Partial<StoredSample>, DayRule]>([
    ['the profile’s zone', { offsetMinutes: -300 }, { zone: 'Europe/Berlin', by: 'profile' }],
    ['its own offset', { offsetMinutes: 60 }, { zone: 'Asia/Tokyo', by: 'recorded' }],
    ['the profile’s zone if it has no offset', {}, { zone: 'Europe/Berlin', by: 'recorded' }],
  ])('is split by %s', (_which, more, rule) => {
    const walk = sample('2026-03-10T22:00:00Z', '2026-03-11T01:00:00Z', more);
    expect(shares(splitSampleByDay('steps', walk, rule))).toEqual([
      ['2026-03-10', 30],
      ['2026-03-11', 60],
    ]);
  });

  test('keeps all digits of its parts, because only sums are rounded', () => {
    const walk = sample('2026-03-10T23:00:00Z', '2026-03-11T02:00:00Z', { value: 1 });
    expect(shares(splitSampleByDay('distance', walk, inUtc))).toEqual([
      ['2026-03-10', 1 / 3],
      ['2026-03-11', 2 / 3],
    ]);
  });

  test('gives each part its share of the original value, without floating-point noise', () => {
    const walk = sample('2026-03-10T23:00:00Z', '2026-03-11T02:00:00Z', { original: { value: 1, unit: 'm' } });
    const originals = splitSampleByDay('distance', walk, inUtc).map(({ original }) => original?.value);
    expect(originals).toEqual([0.33333333333333, 0.66666666666667]);
  });

  test('is split by its own offset, even if that is UTC', () => {
    const walk = sample('2026-03-10T23:00:00Z', '2026-03-11T02:00:00Z', { offsetMinutes: 0 });
    expect(shares(splitSampleByDay('steps', walk, { zone: 'Europe/Berlin', by: 'recorded' }))).toEqual([
      ['2026-03-10', 30],
      ['2026-03-11', 60],
    ]);
  });

  test('of zero length counts on the day that begins', () => {
    const tick = sample('2026-03-11T00:00:00Z', '2026-03-11T00:00:00Z');
    expect(shares(splitSampleByDay('steps', tick, inUtc))).toEqual([['2026-03-11', 90]]);
  });

  test('that stays whole keeps its original value to the last digit', () => {
    const original = { value: 0.1234567890123456, unit: 'm' };
    const walk = sample('2026-03-10T22:00:00Z', '2026-03-11T00:00:00Z', { original });
    expect(splitSampleByDay('distance', walk, inUtc).map((part) => part.original)).toEqual([original]);
  });

  test('that ends at midnight or does not accrue stays whole', () => {
    const untilMidnight = sample('2026-03-10T22:00:00Z', '2026-03-11T00:00:00Z');
    expect(shares(splitSampleByDay('steps', untilMidnight, inUtc))).toEqual([['2026-03-10', 90]]);
    const rate = sample('2026-03-10T22:00:00Z', '2026-03-11T02:00:00Z');
    expect(shares(splitSampleByDay('heart_rate', rate, inUtc))).toEqual([['2026-03-10', 90]]);
  });
});

/**
 * Days with a clock change, in zones whose clocks change during the day, at midnight, by half an
 * hour or by a whole day.
 */
const changes = [
  ['America/New_York', '2025-03-09'],
  ['America/New_York', '2025-11-02'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['Australia/Lord_Howe', '2025-10-05'],
  ['America/Havana', '2025-03-09'],
  ['America/Havana', '2025-11-02'],
  ['America/Santiago', '2025-04-06'],
  ['Africa/Cairo', '2025-10-31'],
  ['Pacific/Apia', '2011-12-30'],
] as const;

test('every minute of a sample counts on the day that the clock of the zone shows', () => {
  const minuteMs = 60_000;
  const when = fc.record({
    change: fc.constantFrom(...changes),
    begins: fc.integer({ min: -1_600, max: 1_600 }),
    lasts: fc.integer({ min: 1, max: 25 * 60 }),
  });
  fc.assert(
    fc.property(when, ({ change: [zone, date], begins, lasts }) => {
      const startMs = Date.parse(`${date}T12:00:00Z`) + begins * minuteMs;
      const endMs = startMs + lasts * minuteMs;
      const counted = new Map<string, number>();
      for (let at = startMs; at < endMs; at += minuteMs) {
        const day = intlDate(zone, at);
        counted.set(day, (counted.get(day) ?? 0) + 1);
      }
      const walk = { startMs, endMs, value: lasts, offsetMinutes: 60 };
      const parts = splitSampleByDay('steps', walk, { zone, by: 'profile' });
      expect(parts.map(({ date }) => date)).toEqual([...counted.keys()]);
      for (const { date, value } of parts) expect(value).toBeCloseTo(counted.get(date) ?? 0, 6);
    }),
    { numRuns: 150 },
  );
});

describe('where clocks go back across midnight', () => {
  const zone = 'America/St_Johns';
  /**
   * At 02:31 UTC on the 7th it was one minute past midnight there, and became 23:01 on the 6th
   * again.
   */
  test.each([
    ['that begins in the repeated evening', '2010-11-07T03:00:00Z', '2010-11-07T05:00:00Z'],
    ['across both midnights', '2010-11-07T01:30:00Z', '2010-11-07T05:00:00Z'],
    ['of twenty-five hours', '2010-11-07T02:40:00Z', '2010-11-08T03:40:00Z'],
  ])('a sample %s is split into consecutive parts that add up', (_which, start, end) => {
    const walk = sample(start, end);
    const parts = splitSampleByDay('steps', walk, { zone, by: 'profile' });
    expect(parts.map(({ startMs }) => startMs)).toEqual([
      walk.startMs,
      ...parts.slice(0, -1).map(({ endMs }) => endMs),
    ]);
    expect(parts.at(-1)?.endMs).toBe(walk.endMs);
    for (const { startMs, endMs, value } of parts) {
      expect(endMs).toBeGreaterThan(startMs);
      expect(value).toBeCloseTo((90 * (endMs - startMs)) / (walk.endMs - walk.startMs), 9);
    }
  });
});

describe('the days that are read for a day', () => {
  const halfHours = Array.from({ length: 288 }, (_none, at) => Date.parse('2026-03-07T00:00:00Z') + at * 1_800_000);

  test.each(['steps', 'heart_rate'] as const)('are those on which any %s begin that count on it', (metric) => {
    const begun = [-720, 840]
      .flatMap((offsetMinutes) =>
        halfHours.filter((startMs) => {
          const dayLongSample = { ...sample('', ''), startMs, endMs: startMs + 86_400_000, offsetMinutes };
          return splitSampleByDay(metric, dayLongSample, byRecord).some(({ date }) => date === '2026-03-10');
        }),
      )
      .map(utcDay)
      .sort();
    expect(utcDaysAround(metric, '2026-03-10')).toEqual({ from: begun[0], to: begun.at(-1) });
  });

  test('reach back as far as the stages of its night', () => {
    const stage = sample('2026-03-07T22:00:00Z', '2026-03-08T22:00:00Z', { offsetMinutes: 840 });
    const slept = { ...sleepRow(0, '2026-03-08T10:00:00Z', 1_440, {}), offsetMinutes: 840 };
    expect(computeStageDate(stage, byRecord, [{ ...slept, date: sleepDate(slept, byRecord) }])).toBe('2026-03-10');
    expect(utcDaysAround('deep_sleep', '2026-03-10').from).toBe(utcDay(stage.startMs));
  });
});

const zones = [null, 'Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Apia', 'America/St_Johns', 'Antarctica/Casey'];

test('what counts on a day begins within its span, even where clocks go back across midnight', () => {
  // Some hours around each clock change, and anywhere.
  const changes = zones.flatMap((zone) => changesOf(zone).map((ms) => ({ zone, ms })));
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * 3_600, max: 30 * 3_600 }))
    .map(([{ zone, ms }, seconds]) => ({ zone, ms: ms + seconds * 1_000 }));
  const anywhere = fc.record({
    zone: fc.constantFrom(...zones),
    ms: fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2030, 0, 1) }),
  });
  fc.assert(
    fc.property(
      fc.oneof(near, anywhere),
      fc.constantFrom('profile', 'recorded'),
      fc.option(fc.integer({ min: -840, max: 840 })),
      ({ zone, ms }, by, offsetMinutes) => {
        const rule: DayRule = { zone, by };
        const date = localDate(ms, rule, { offsetMinutes });
        const { startMs, endMs } = getStartSpan({ from: date, to: date }, rule);
        expect(ms >= startMs && ms < endMs).toBe(true);
      },
    ),
    { numRuns: 3_000 },
  );
});

/** The hours in which the clock of the zone changed since 2000. */
function changesOf(zone: string | null): number[] {
  const hourMs = 3_600_000;
  const changes: number[] = [];
  for (let ms = Date.UTC(2000, 0, 2); zone && ms < Date.UTC(2030, 0, 1); ms += 24 * hourMs)
    if (zoneOffsetSeconds(zone, ms) !== zoneOffsetSeconds(zone, ms + 24 * hourMs))
      for (let at = ms; at < ms + 24 * hourMs; at += hourMs)
        if (zoneOffsetSeconds(zone, at) !== zoneOffsetSeconds(zone, at + hourMs)) changes.push(at);
  return changes;
}
