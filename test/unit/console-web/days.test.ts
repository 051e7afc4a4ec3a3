import { expect, test } from 'vitest';
import { addDays, dayStartMs, todayIn } from '../../../functions/api/console/web/state/days.ts';

test.each([
  ['2026-11-15', 'Europe/Berlin', '2026-11-14T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-11-15', 'Asia/Kolkata', '2026-11-14T18:30:00.000Z'],
  ['2026-11-15', 'America/Los_Angeles', '2026-11-15T08:00:00.000Z'],
  ['2026-11-15', 'UTC', '2026-11-15T00:00:00.000Z'],
])('%s begins in %s at %s', (date, zone, start) => {
  expect(new Date(dayStartMs(date, zone)).toISOString()).toBe(start);
});

test('a day follows the last of a month', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
});

test('today is the day of the zone', () => {
  expect(todayIn('Asia/Tokyo', Date.parse('2026-11-15T16:00:00Z'))).toBe('2026-11-16');
  expect(todayIn('UTC', Date.parse('2026-11-15T16:00:00Z'))).toBe('2026-11-15');
});
