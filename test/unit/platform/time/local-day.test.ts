import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  datesInRange,
  dayBounds,
  dayMs,
  daysBetween,
  formatLocalTime,
  isCalendarDate,
  localDate,
  localDayEnd,
  todayIn,
  utcDay,
} from '../../../../shared/platform/time/local-day.ts';
import { zoneOffsetMinutes } from '../../../../shared/platform/time/zone-offsets.ts';
import { intlClock, intlDate } from '../../catalog/intl-clock.ts';

const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const anyInstant = fc.integer({ min: 0, max: Date.UTC(2060, 0, 1) });
const anyDate = anyInstant.map(utcDay);
const hour = 3_600_000;
const at = (text: string): number => Date.parse(text);

/**
 * Zones that change at midnight, skip days, change for Ramadan or by half an hour, or had offsets
 * with seconds.
 */
const oddZones = [
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/St_Johns',
  'America/Havana',
  'Africa/Casablanca',
  'Asia/Gaza',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Africa/Monrovia',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Caracas',
  'Europe/Berlin',
];

describe('the local time in a zone', () => {
  test('matches Intl in every zone at any instant', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, ms) => {
        expect(formatLocalTime(ms, zone)).toBe(intlClock(zone, ms));
      }),
      { numRuns: 1_500 },
    );
  });

  test('matches Intl on both sides of every change, in the zones with the oddest rules', () => {
    const oddZone = fc.constantFrom(...oddZones);
    fc.assert(
      fc.property(oddZone, anyInstant, fc.integer({ min: -2_000, max: 2_000 }), (zone, ms, away) => {
        const { startMs } = dayBounds(utcDay(ms), zone);
        for (const near of [startMs - 1, startMs, startMs + away])
          expect(formatLocalTime(near, zone)).toBe(intlClock(zone, near));
      }),
      { numRuns: 1_000 },
    );
  });

  test('is UTC where no zone is known', () => {
    expect(formatLocalTime(at('2026-03-14T07:26:53.999Z'), null)).toBe('2026-03-14T07:26:53');
    expect(todayIn(null, at('2026-03-14T23:59:59.999Z'))).toBe('2026-03-14');
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', 60],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 120],
    ['Asia/Kathmandu', '2026-03-29T01:00:00Z', 345],
    ['America/St_Johns', '2026-01-01T00:00:00Z', -210],
    ['europe/berlin', '2026-07-01T00:00:00Z', 120],
  ])('%s at %s is %d minutes from UTC', (zone, text, minutes) => {
    expect(zoneOffsetMinutes(zone, at(text))).toBe(minutes);
  });

  test('keeps the seconds of old offsets', () => {
    expect(formatLocalTime(0, 'Africa/Monrovia')).toBe('1969-12-31T23:15:30');
  });

  test('rejects a zone that does not exist', () => {
    expect(() => formatLocalTime(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('the local day of a record', () => {
  const ms = at('2026-03-14T22:30:00Z');

  test("is that of the profile's zone, with any offset", () => {
    const inNewYork = { zone: 'America/New_York', by: 'profile' } as const;
    for (const offsetMinutes of [null, 0, 600, -600])
      expect(localDate(ms, inNewYork, { offsetMinutes })).toBe('2026-03-14');
    for (const offsetMinutes of [null, 0, 600, -600])
      expect(localDate(ms, { zone: 'Asia/Tokyo', by: 'profile' }, { offsetMinutes })).toBe('2026-03-15');
  });

  test('is that of UTC where the profile has no zone', () => {
    expect(localDate(ms, { zone: null, by: 'profile' }, { offsetMinutes: 600 })).toBe('2026-03-14');
    expect(localDate(ms, { zone: null, by: 'recorded' }, { offsetMinutes: null })).toBe('2026-03-14');
  });

  test('is that of its own offset, if the user has chosen so', () => {
    const byRecord = { zone: 'America/New_York', by: 'recorded' } as const;
    expect(localDate(ms, byRecord, { offsetMinutes: 600 })).toBe('2026-03-15');
    expect(localDate(ms, byRecord, { offsetMinutes: 0 })).toBe('2026-03-14');
    expect(localDate(ms, byRecord, { offsetMinutes: null })).toBe('2026-03-14');
  });

  test('of a traveler is that of home, or of the place where each record was made', () => {
    const journey = fc.array(fc.tuple(anyZone, anyInstant), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(journey, anyZone, (stops, home) => {
        for (const [zone, ms] of stops) {
          const offsetMinutes = zoneOffsetMinutes(zone, ms);
          fc.pre(ms > at('1973-01-01'));
          expect(localDate(ms, { zone: home, by: 'profile' }, { offsetMinutes })).toBe(intlDate(home, ms));
          expect(localDate(ms, { zone: home, by: 'recorded' }, { offsetMinutes })).toBe(intlDate(zone, ms));
          expect(localDate(ms, { zone: home, by: 'recorded' }, { offsetMinutes: null })).toBe(intlDate(home, ms));
        }
      }),
    );
  });

  test('ends where the next one begins', () => {
    fc.assert(
      fc.property(
        fc.option(anyZone),
        anyInstant,
        fc.option(fc.integer({ min: -840, max: 840 })),
        (zone, ms, offset) => {
          for (const by of ['profile', 'recorded'] as const) {
            const record = { offsetMinutes: offset };
            const date = localDate(ms, { zone, by }, record);
            const end = localDayEnd(date, { zone, by }, record);
            expect(localDate(end, { zone, by }, record) > date).toBe(true);
          }
        },
      ),
    );
  });
});

describe('the bounds of a day', () => {
  test('start at its first instant: the millisecond before is an earlier day', () => {
    fc.assert(
      fc.property(fc.oneof(anyZone, fc.constantFrom(...oddZones)), anyDate, (zone, date) => {
        const { startMs, endMs } = dayBounds(date, zone);
        expect(intlDate(zone, startMs) >= date).toBe(true);
        expect(intlDate(zone, startMs - 1) < date).toBe(true);
        expect(endMs).toBe(dayBounds(addDays(date, 1), zone).startMs);
        if (startMs < endMs) expect(intlDate(zone, startMs)).toBe(date);
      }),
      { numRuns: 1_500 },
    );
  });

  test('leave nothing of the day before them, hour by hour', () => {
    fc.assert(
      fc.property(fc.constantFrom(...oddZones), anyDate, (zone, date) => {
        const { startMs } = dayBounds(date, zone);
        for (let ms = startMs - 30 * hour; ms < startMs; ms += hour / 4) expect(intlDate(zone, ms) < date).toBe(true);
      }),
    );
  });

  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['Europe/Berlin', '2026-06-01', '2026-05-31T22:00:00Z', 24],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00Z', 25],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z', 23],
    ['Asia/Beirut', '2024-03-31', '2024-03-30T22:00:00Z', 23],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24],
    ['Pacific/Kwajalein', '1993-08-21', '1993-08-21T12:00:00Z', 0],
    [null, '2026-03-29', '2026-03-29T00:00:00Z', 24],
  ])('in %s for %s start at %s and span %d hours', (zone, date, start, hours) => {
    const { startMs, endMs } = dayBounds(date, zone);
    expect(new Date(startMs).toISOString()).toBe(new Date(start).toISOString());
    expect((endMs - startMs) / hour).toBe(hours);
  });
});

describe('counting days', () => {
  test('addDays, daysBetween and datesInRange agree with each other and with the UTC calendar', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -800, max: 800 }), (date, days) => {
        const other = addDays(date, days);
        expect(other).toBe(new Date(at(date) + days * dayMs).toISOString().slice(0, 10));
        expect(daysBetween(date, other)).toBe(days);
        const range = datesInRange(date, other);
        expect(range).toHaveLength(Math.max(0, days + 1));
        for (const [index, each] of range.entries()) expect(each).toBe(addDays(date, index));
      }),
    );
  });

  test.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    ' 2026-01-01',
    '2026-01-01T00',
    '',
  ])('%j is not a calendar date', (text) => {
    expect(isCalendarDate(text)).toBe(false);
    expect(() => addDays(text, 1)).toThrow(RangeError);
  });

  test.each(['2024-02-29', '1970-01-01', '0001-01-01', '9999-12-31'])('%s is a calendar date', (text) => {
    expect(isCalendarDate(text)).toBe(true);
    expect(addDays(text, 0)).toBe(text);
  });

  test('a day outside the four-digit years is rejected', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
  });
});
