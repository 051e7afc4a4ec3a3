// What only Form 1 tells of nights and workouts, from the model: instants, sums and converted numbers, earliest first.
import { shownNights, shownWorkouts } from './expected-sessions.ts';
import { add, type Rational, rounded } from './rational.ts';
import { convert } from './units.ts';
import type { View } from './view.ts';

interface FlatSpan {
  start: string;
  end: string;
}
const spanOf = ({ start, end }: { start: number; end: number }): FlatSpan => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

export const expectedFlatNights = (
  view: View,
  from: string,
  to: string,
): (FlatSpan & { restorative_sleep: number | null })[] =>
  shownNights(view, from, to)
    .toReversed()
    .map(({ report }) => {
      const { deep_minutes: deep, rem_minutes: rem } = report.minutes;
      return { ...spanOf(report), restorative_sleep: deep && rem ? rounded(add(deep, rem), 0) : null };
    });

export const expectedFlatWorkouts = (
  view: View,
  from: string,
  to: string,
  imperial: boolean,
): (FlatSpan & { distance: number | null; elevation_gain: number | null })[] =>
  shownWorkouts(view, from, to)
    .toReversed()
    .map(({ report }) => {
      const { distance_km, elevation_meters } = report.numbers;
      const told = (value: Rational | undefined, unit: string, other: string, decimals: number) =>
        value ? rounded(imperial ? convert(value, unit, other) : value, decimals) : null;
      return {
        ...spanOf(report),
        distance: told(distance_km, 'km', 'mi', 2),
        elevation_gain: told(elevation_meters, 'm', 'ft', 1),
      };
    });
