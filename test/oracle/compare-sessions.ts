// Compares nights and workouts with the model: the lists in order, and each workout in full.
import { differences, type Mismatch } from './compare.ts';
import { type ExpectedWorkoutDetail, expectedNights, expectedWorkouts } from './expected-sessions.ts';
import type { View } from './view.ts';

export interface ListBody {
  data: Record<string, unknown>[];
}
export interface DetailBody extends Record<string, unknown> {
  metrics: Record<string, unknown>;
  heart_rate: {
    avg_bpm: number;
    max_bpm: number;
    samples: unknown[];
    zones: { zone: number; minutes: number }[];
  } | null;
}
export interface Range {
  from: string;
  to: string;
}

export function nightMismatches(view: View, { from, to }: Range, { data }: ListBody): Mismatch[] {
  const expected = expectedNights(view, from, to);
  return [
    ...listMismatches(data, expected, ({ date, start_time, source }) => `${date} ${start_time} ${source}`),
    ...(view.calendar.dayRule === 'profile' ? endMismatches(data) : []),
  ];
}

/** With the rule `profile`, a night counts on the date of its local end. */
const endMismatches = (data: ListBody['data']): Mismatch[] =>
  data.flatMap(({ date, end_time }, at) =>
    String(end_time).startsWith(`${date}T`) ? [] : [{ where: `data[${at}].date`, got: date, expected: end_time }],
  );

export function workoutMismatches(view: View, { from, to }: Range, { data }: ListBody): Mismatch[] {
  const expected = expectedWorkouts(view, from, to).map(
    ({ name: _name, elevation_meters: _up, steps: _steps, heart_rate: _trace, ...listed }) => listed,
  );
  return listMismatches(data, expected, ({ start_time, source }) => `${start_time} ${source}`);
}

export function detailMismatches(expected: ExpectedWorkoutDetail, body: DetailBody): Mismatch[] {
  const { name, elevation_meters, steps, heart_rate, ...listed } = expected;
  const where = `workout of ${expected.start_time}`;
  return [
    ...differences(where, body, name === null ? listed : { ...listed, name }),
    ...differences(`${where}.metrics`, body.metrics, { elevation_meters, steps }),
    ...(heart_rate && body.heart_rate
      ? differences(`${where}.heart_rate`, { ...body.heart_rate }, heart_rate)
      : differences(where, { heart_rate: body.heart_rate }, { heart_rate })),
  ];
}

function listMismatches<Item extends object>(
  data: Record<string, unknown>[],
  expected: readonly Item[],
  label: (item: Item) => string,
): Mismatch[] {
  if (data.length !== expected.length) return [{ where: 'data', got: data, expected }];
  return expected.flatMap((item, at) => differences(`data[${at}] (${label(item)})`, data[at] ?? {}, item));
}
