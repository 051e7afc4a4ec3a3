import { expect, test } from 'vitest';
import { namedZoneOffsetMinutes } from '../../../../shared/providers/kit/local-day-of-instant.ts';

test('the offset is that of the instant, and is unknown for an unnamed or unknown zone', () => {
  // Clocks in Paris went forward on 2026-03-29 at 01:00 UTC.
  expect(namedZoneOffsetMinutes('Europe/Paris', Date.UTC(2026, 2, 29, 0, 59))).toBe(60);
  expect(namedZoneOffsetMinutes('Europe/Paris', Date.UTC(2026, 2, 29, 1))).toBe(120);
  expect(namedZoneOffsetMinutes('Asia/Kathmandu', 0)).toBe(330);
  expect(namedZoneOffsetMinutes('Asia/Kathmandu', Date.UTC(2026, 0))).toBe(345);
  for (const zone of ['Mars/Base', '', null, undefined]) expect(namedZoneOffsetMinutes(zone, 0)).toBeNull();
  expect(namedZoneOffsetMinutes('Europe/Paris', Number.NaN)).toBeNull();
});
