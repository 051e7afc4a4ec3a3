import { describe, expect, test } from 'vitest';
import { daysAsked } from '../../../shared/providers/days-asked.ts';

const asked = { from: '2026-03-05', to: '2026-03-06' };

describe('the days that were asked for', () => {
  test('both ends belong to them', () => {
    const { holds } = daysAsked(asked, null);
    const dates = ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'];
    expect(dates.map(holds)).toEqual([false, true, true, false]);
  });

  test("an instant counts by the record's own offset, then by the person's zone, then in UTC", () => {
    const lateInUtc = Date.parse('2026-03-06T23:30:00Z');
    expect(daysAsked(asked, null).holdsInstant(lateInUtc, null)).toBe(true);
    expect(daysAsked(asked, 'Europe/Berlin').holdsInstant(lateInUtc, null)).toBe(false);
    expect(daysAsked(asked, 'Europe/Berlin').holdsInstant(lateInUtc, -300)).toBe(true);
    expect(daysAsked(asked, 'Europe/Berlin').dateOf(lateInUtc, null)).toBe('2026-03-07');
  });

  test('every day belongs to none', () => {
    expect(daysAsked(null, null).holds('1999-01-01')).toBe(true);
  });
});
