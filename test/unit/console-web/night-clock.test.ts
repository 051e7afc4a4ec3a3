import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseNightClock,
  listHourMarks,
  minutesFromMidnight,
  nameMark,
  placeOnClock,
} from '../../../functions/api/console/web/charts/night-clock.ts';

const night = { date: '2026-03-12', start_time: '2026-03-11T23:04:00', end_time: '2026-03-12T07:10:00' };
const nap = { date: '2026-03-12', start_time: '2026-03-12T14:00:00', end_time: '2026-03-12T14:45:00' };
const at = (time: string): number => minutesFromMidnight('2026-03-12', Date.parse(`${time}Z`));

test('a nap is as wide as it is long, on the clock of the nights', () => {
  const clock = chooseNightClock([night, nap]);
  expect(clock).toEqual({ from: -60, to: 15 * 60 });
  const widthOf = ({ start_time, end_time }: typeof nap): number =>
    placeOnClock(clock, at(end_time)) - placeOnClock(clock, at(start_time));
  expect(widthOf(nap) / widthOf(night)).toBeCloseTo(45 / 486, 5);
  expect(chooseNightClock([nap])).toEqual({ from: 14 * 60, to: 22 * 60 });
});

test('hours are named on a clock of 24 hours, and few enough to be read', () => {
  expect(listHourMarks({ from: -60, to: 480 }).map(nameMark)).toEqual(['00:00', '02:00', '04:00', '06:00', '08:00']);
  expect(nameMark(-60)).toBe('23:00');
  expect(nameMark(25 * 60)).toBe('01:00');
  fc.assert(
    fc.property(fc.integer({ min: -24, max: 24 }), fc.integer({ min: 8, max: 60 }), (fromHour, hours) => {
      const clock = { from: fromHour * 60, to: (fromHour + hours) * 60 };
      const marks = listHourMarks(clock);
      expect(marks.length).toBeGreaterThanOrEqual(2);
      expect(marks.length).toBeLessThanOrEqual(9);
      for (const mark of marks) {
        expect(placeOnClock(clock, mark)).toBeGreaterThanOrEqual(0);
        expect(placeOnClock(clock, mark)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
