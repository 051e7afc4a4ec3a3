import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CalendarDate,
  formatTimestamp,
  isTimeZone,
  Timestamp,
  TimeZone,
} from '../../../../shared/platform/time/time.ts';

describe('a time zone', () => {
  test('can be any name that the runtime lists', () => {
    const refused = Intl.supportedValuesOf('timeZone').filter((name) => !TimeZone.safeParse(name).success);
    expect(refused).toEqual([]);
  });

  test.each(['UTC', 'Etc/UTC', 'Etc/GMT+5', 'US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kyiv'])(
    'can be %s, aliases included',
    (name) => expect(TimeZone.safeParse(name).success).toBe(true),
  );

  test.each(['', ' ', '+02:00', '-0530', '+14', 'UTC+2', 'Mars/Olympus', 'Europe/Berlin ', 'Europe/', '../etc', 'ß'])(
    'cannot be %j',
    (name) => expect(TimeZone.safeParse(name).success).toBe(false),
  );

  test('that is accepted can be used for dates, and no offset is accepted', () => {
    const names = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[+-]\d\d:?\d\d$/),
      fc.stringMatching(/^[A-Z][a-z]+\/[A-Z][a-z]+$/),
    );
    fc.assert(
      fc.property(names, (name) => {
        const known = isTimeZone(name);
        expect(isTimeZone(name)).toBe(known);
        if (known) expect(new Date(0).toLocaleString('en', { timeZone: name })).toBeTruthy();
        if (/^[+-]/.test(name)) expect(known).toBe(false);
      }),
    );
  });
});

describe('a calendar day', () => {
  test('is accepted exactly when the calendar has it', () => {
    const parts = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    const daysIn = (year: number, month: number) => {
      const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
      return [0, 31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
    };
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const text = [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
          '-',
        );
        expect(CalendarDate.safeParse(text).success).toBe(day >= 1 && day <= daysIn(year, month));
      }),
      { numRuns: 1000 },
    );
  });
});

test('a timestamp is written with milliseconds and Z, and can be read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
      const text = formatTimestamp(ms);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Timestamp.safeParse(text).success).toBe(true);
      expect(Date.parse(text)).toBe(ms);
    }),
  );
});
