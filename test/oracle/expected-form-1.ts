// The fields of nights and workouts that only Form 1 has, from the model: instants, sums and
// converted numbers, earliest first.
import { visibleNights, visibleWorkouts } from './expected-sessions.ts';
import { add, type Rational, round } from './rational.ts';
import { convert } from './units.ts';
import type { View } from './view.ts';

interface Form1Span {
  start: string;
  end: string;
}
const spanOf = ({ start, end }: { start: number; end: number }): Form1Span => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

export const expectedForm1Nights = (
  view: View,
  from: string,
  to: string,
): (Form1Span & { restorative_sleep: number | null; stages: (Form1Span & { stage: string })[] | null })[] =>
  visibleNights(view, from, to)
    .toReversed()
    .map(({ report }) => {
      const { deep_minutes: deep, rem_minutes: rem } = report.minutes;
      return {
        ...spanOf(report),
        restorative_sleep: deep && rem ? round(add(deep, rem), 0) : null,
        stages:
          report.stages.length === 0 ? null : report.stages.map((each) => ({ stage: each.stage, ...spanOf(each) })),
      };
    });

export const expectedForm1Workouts = (
  view: View,
  from: string,
  to: string,
  imperial: boolean,
): (Form1Span & { distance: number | null; elevation_gain: number | null })[] =>
  visibleWorkouts(view, from, to)
    .toReversed()
    .map(({ report }) => {
      const { distance_km, elevation_meters } = report.numbers;
      const convertAndRound = (value: Rational | undefined, unit: string, other: string, decimals: number) =>
        value ? round(imperial ? convert(value, unit, other) : value, decimals) : null;
      return {
        ...spanOf(report),
        distance: convertAndRound(distance_km, 'km', 'mi', 2),
        elevation_gain: convertAndRound(elevation_meters, 'm', 'ft', 1),
      };
    });
