// What some sources tell of a workout and most do not. It is kept as the source sent it and never computed here.

interface WorkoutMeasure {
  /** Its name in records and rows. */
  key: string;
  /** Its name in uploads and answers. */
  name: string;
  /** The smallest and largest plausible value; others are rejected. */
  range: readonly [min: number, max: number];
  /** Decimals shown. */
  precision: number;
}

export const workoutMeasures = [
  { key: 'strain', name: 'strain', range: [0, 100], precision: 1 },
  { key: 'avgMets', name: 'avg_mets', range: [0, 50], precision: 1 },
  { key: 'weatherTemperatureC', name: 'weather_temperature_c', range: [-90, 60], precision: 1 },
  { key: 'weatherHumidityPct', name: 'weather_humidity_pct', range: [0, 100], precision: 1 },
  { key: 'swimmingStrokeCount', name: 'swimming_stroke_count', range: [0, 100_000], precision: 0 },
  { key: 'swimmingLapLengthM', name: 'swimming_lap_length_m', range: [1, 1_000], precision: 2 },
] as const satisfies readonly WorkoutMeasure[];

export type WorkoutMeasureKey = (typeof workoutMeasures)[number]['key'];

/** Absent where the source did not supply it. */
export type WorkoutMeasures = { [Key in WorkoutMeasureKey]?: number };
