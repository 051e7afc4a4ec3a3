import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findZoneChanges,
  formatOffset,
  type NightPlace,
} from '../../../functions/api/console/web/pages/person/zone-changes.ts';
import { formatUtcOffset } from '../../../shared/platform/time/utc-offset.ts';
import { zoneOffsetMinutes } from '../../../shared/platform/time/zone-offsets.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const makeNight = (endMs: number, utc_offset: string | null): NightPlace => ({
  id: String(endMs),
  start_at: new Date(endMs - 8 * hourMs).toISOString(),
  end_at: new Date(endMs).toISOString(),
  utc_offset,
});

/** Nights that end at six o'clock UTC, written oldest first and listed newest first. */
const makeNights = (firstDay: string, offsets: readonly (string | null)[]): NightPlace[] =>
  offsets.map((offset, at) => makeNight(Date.parse(`${firstDay}T06:00:00Z`) + at * dayMs, offset)).reverse();

const summarize = (nights: readonly NightPlace[], zone: string): string[] =>
  findZoneChanges(nights, zone).map(
    ({ nightId, from, to, isClockChange }) =>
      `${new Date(Number(nightId)).toISOString().slice(0, 10)} ${formatOffset(from)} → ${formatOffset(to)}${isClockChange ? ' clock' : ''}`,
  );

test('a journey there and back is two changes, newest first', () => {
  const nights = makeNights('2026-06-01', ['+02:00', '+02:00', '-04:00', '-04:00', '+02:00']);
  expect(summarize(nights, 'Europe/Berlin')).toEqual(['2026-06-05 UTC−4 → UTC+2', '2026-06-03 UTC+2 → UTC−4']);
});

describe('in the night of the clock change', () => {
  // In Berlin, the clocks go back at one o'clock UTC on 25 October 2026.
  test.each([
    ['waking', ['+02:00', '+01:00', '+01:00'], '2026-10-25'],
    ['falling asleep', ['+02:00', '+02:00', '+01:00'], '2026-10-26'],
  ])('a device that states the offset of %s shows the clock change', (_when, offsets, day) => {
    expect(summarize(makeNights('2026-10-24', offsets), 'Europe/Berlin')).toEqual([`${day} UTC+2 → UTC+1 clock`]);
  });

  test('the same change of offset is a journey for someone whose zone keeps its clocks', () => {
    const nights = makeNights('2026-10-24', ['+02:00', '+01:00']);
    expect(summarize(nights, 'Africa/Johannesburg')).toEqual(['2026-10-25 UTC+2 → UTC+1']);
  });
});

test('a night without an offset neither makes a change nor hides one', () => {
  expect(summarize(makeNights('2026-06-01', ['+02:00', null, '+02:00']), 'Europe/Berlin')).toEqual([]);
  expect(summarize(makeNights('2026-06-01', ['+02:00', null, '-04:00']), 'Europe/Berlin')).toEqual([
    '2026-06-03 UTC+2 → UTC−4',
  ]);
});

test.each([
  [0, 'UTC'],
  [120, 'UTC+2'],
  [-240, 'UTC−4'],
  [330, 'UTC+5:30'],
  [-30, 'UTC−0:30'],
])('%i minutes are written %s', (minutes, text) => {
  expect(formatOffset(minutes)).toBe(text);
});

test('the changes lead from the first stated offset to the last, and each changes something', () => {
  const offset = fc.option(fc.constantFrom(-240, -210, 0, 60, 120, 345), { nil: null });
  fc.assert(
    fc.property(fc.array(offset, { maxLength: 40 }), (offsets) => {
      const stated = offsets.filter((each) => each !== null);
      const written = offsets.map((each) => (each === null ? null : formatUtcOffset(each)));
      const changes = findZoneChanges(makeNights('2026-01-01', written), 'UTC').reverse();
      let current: number | undefined = stated[0];
      for (const { from, to } of changes) {
        expect(from).toBe(current);
        expect(to).not.toBe(from);
        current = to;
      }
      expect(current).toBe(stated.at(-1));
    }),
  );
});

test('someone who stays at home has only the clock changes of their zone', () => {
  const zone = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu');
  const firstDay = fc.integer({ min: 0, max: 2000 });
  fc.assert(
    fc.property(zone, firstDay, fc.integer({ min: 1, max: 60 }), (home, first, count) => {
      const ends = Array.from({ length: count }, (_, at) => Date.parse('2024-01-01T06:00:00Z') + (first + at) * dayMs);
      const nights = ends.map((endMs) => makeNight(endMs, formatUtcOffset(zoneOffsetMinutes(home, endMs)))).reverse();
      expect(findZoneChanges(nights, home).every(({ isClockChange }) => isClockChange)).toBe(true);
    }),
  );
});
