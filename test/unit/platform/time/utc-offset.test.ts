import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatUtcOffset, presentUtcOffset, UtcOffset } from '../../../../shared/platform/time/utc-offset.ts';
import { readOffset } from '../../../../shared/providers/phone/read-time.ts';

describe('a UTC offset', () => {
  test.each([
    [0, '+00:00'],
    [-1, '-00:01'],
    [540, '+09:00'],
    [-210, '-03:30'],
    [345, '+05:45'],
    [840, '+14:00'],
    [-720, '-12:00'],
  ])('of %d minutes is %s', (minutes, text) => expect(formatUtcOffset(minutes)).toBe(text));

  test('that a record does not state is null', () => {
    expect(presentUtcOffset({ offsetMinutes: null })).toBeNull();
    expect(presentUtcOffset({ offsetMinutes: 0 })).toBe('+00:00');
  });

  test('is read from an upload as it is shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: -840, max: 840 }), (minutes) => {
        const text = UtcOffset.parse(formatUtcOffset(minutes));
        expect(readOffset(text ?? '')).toBe(minutes);
      }),
    );
  });
});
