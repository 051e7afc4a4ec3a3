import { expect, test } from 'vitest';
import { clockText, dayBounds, localDate } from './zone-clock.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['Europe/Berlin', '2025-03-29T23:00:00Z', '2025-03-30T00:00:00'],
  ['Europe/Berlin', '2025-03-30T01:00:00Z', '2025-03-30T03:00:00'],
  ['Asia/Kathmandu', '2025-06-15T18:15:00Z', '2025-06-16T00:00:00'],
  ['Pacific/Kiritimati', '2025-06-15T10:00:00Z', '2025-06-16T00:00:00'],
  ['Pacific/Pago_Pago', '2025-06-15T10:59:59Z', '2025-06-14T23:59:59'],
  ['Etc/GMT+12', '2025-06-15T11:59:59Z', '2025-06-14T23:59:59'],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00'],
  ['UTC', '2025-06-15T23:59:59Z', '2025-06-15T23:59:59'],
  ['Australia/Lord_Howe', '2025-04-05T15:00:00Z', '2025-04-06T01:30:00'],
  ['America/St_Johns', '2025-03-09T05:30:00Z', '2025-03-09T03:00:00'],
])('a clock in %s at %s shows %s', (zone, instant, expected) => {
  expect(clockText({ zone }, at(instant))).toBe(expected);
  expect(localDate({ zone }, at(instant))).toBe(expected.slice(0, 10));
});

test.each([
  ['Europe/Berlin', '2025-03-30', '2025-03-29T23:00:00Z', 23],
  ['Europe/Berlin', '2025-10-26', '2025-10-25T22:00:00Z', 25],
  ['America/New_York', '2025-11-02', '2025-11-02T04:00:00Z', 25],
  ['Australia/Lord_Howe', '2025-10-05', '2025-10-04T13:30:00Z', 23.5],
  ['Australia/Lord_Howe', '2025-04-06', '2025-04-05T13:00:00Z', 24.5],
  ['Pacific/Pago_Pago', '2025-06-15', '2025-06-15T11:00:00Z', 24],
  ['Pacific/Kiritimati', '2025-06-15', '2025-06-14T10:00:00Z', 24],
  ['Africa/Cairo', '2025-04-25', '2025-04-24T22:00:00Z', 23],
  ['America/Santiago', '2025-04-05', '2025-04-05T03:00:00Z', 25],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
])('in %s, the day %s begins at %s and has %d hours', (zone, date, startTime, hours) => {
  const { from, to } = dayBounds({ zone }, date);
  expect([new Date(from).toISOString(), (to - from) / 3_600_000]).toEqual([startTime.replace('Z', '.000Z'), hours]);
});

test('a day at a fixed offset always has 24 hours', () => {
  const { from, to } = dayBounds({ offsetMinutes: 60 }, '2025-03-30');
  expect([new Date(from).toISOString(), to - from]).toEqual(['2025-03-29T23:00:00.000Z', 86_400_000]);
});
