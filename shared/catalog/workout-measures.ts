// Workout measures that only some sources report. They are stored as sent and never computed here.

interface WorkoutMeasure {
  /** The name in records and rows. */
  key: string;
  /** The name in uploads and responses. */
  name: string;
  /** The smallest and largest plausible value. Values outside this range are rejected. */
  range: readonly [min: number, max: number];
  /** Decimals in responses. */
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

/** A measure is absent if the source did not supply it. */
export type WorkoutMeasures = { [Key in WorkoutMeasureKey]?: number };
