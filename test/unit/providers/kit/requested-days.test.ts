import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayBounds, utcDay } from '../../../../shared/platform/time/local-day.ts';
import {
  createRequestedDays,
  expandToProviderDates,
  latestDateWorldwide,
} from '../../../../shared/providers/kit/requested-days.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-06' };

describe('the requested days', () => {
  test('include both ends', () => {
    const { includes: holds } = createRequestedDays(requestedDays, null);
    const dates = ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'];
    expect(dates.map(holds)).toEqual([false, true, true, false]);
  });

  test("include an instant by the user's zone, or in UTC without one", () => {
    const lateInUtc = Date.parse('2026-03-06T23:30:00Z');
    expect(createRequestedDays(requestedDays, null).includesInstant(lateInUtc)).toBe(true);
    expect(createRequestedDays(requestedDays, 'Europe/Berlin').includesInstant(lateInUtc)).toBe(false);
    expect(createRequestedDays(requestedDays, 'America/New_York').includesInstant(lateInUtc + 5 * 3_600_000)).toBe(
      true,
    );
    expect(createRequestedDays(requestedDays, 'Europe/Berlin').dateOf(lateInUtc)).toBe('2026-03-07');
  });

  test('include an invalid instant, so that it is rejected', () => {
    expect(createRequestedDays(requestedDays, null).includesInstant(Number.NaN)).toBe(true);
    expect(createRequestedDays(requestedDays, null).dateOf(9e15)).toBe('');
  });

  test('include every day when none were requested', () => {
    expect(createRequestedDays(null, null).includes('1999-01-01')).toBe(true);
  });
});

describe('provider dates', () => {
  test.each([
    ['Europe/Berlin', '2026-03-04', '2026-03-07'],
    ['America/New_York', '2026-03-04', '2026-03-07'],
    ['Pacific/Honolulu', '2026-03-04', '2026-03-07'],
    [null, '2026-03-04', '2026-03-07'],
    // In zones more than twelve hours from UTC, a day overlaps one more date somewhere on Earth.
    ['Pacific/Auckland', '2026-03-03', '2026-03-07'],
    ['Pacific/Pago_Pago', '2026-03-04', '2026-03-08'],
  ])('in %s are those from %s to %s', (zone, from, to) => {
    expect(expandToProviderDates(requestedDays, zone)).toEqual({ from, to });
  });

  test('include every date that a clock anywhere shows on these days, and no more at either end', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu');
    const offsets = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 15);
    fc.assert(
      fc.property(zones, offsets, fc.double({ min: 0, max: 1, noNaN: true }), (zone, offsetMinutes, share) => {
        const [startMs, endMs] = [dayBounds(requestedDays.from, zone).startMs, dayBounds(requestedDays.to, zone).endMs];
        const ms = Math.min(endMs - 1, Math.round(startMs + share * (endMs - startMs)));
        expect(createRequestedDays(requestedDays, zone).includesInstant(ms)).toBe(true);
        expect(
          createRequestedDays(expandToProviderDates(requestedDays, zone), null).includesInstant(
            ms + offsetMinutes * 60_000,
          ),
        ).toBe(true);
        expect(expandToProviderDates(requestedDays, zone).from).toBe(utcDay(startMs - 12 * 3_600_000));
        expect(expandToProviderDates(requestedDays, zone).to).toBe(utcDay(endMs - 1 + 14 * 3_600_000));
      }),
    );
  });

  test('begin first in the farthest east', () => {
    expect(latestDateWorldwide(Date.parse('2026-03-06T09:59:59Z'))).toBe('2026-03-06');
    expect(latestDateWorldwide(Date.parse('2026-03-06T10:00:00Z'))).toBe('2026-03-07');
  });
});
