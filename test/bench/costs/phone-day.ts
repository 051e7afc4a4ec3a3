// Generates what a phone and its watch measure, as uploads: hours of ten metrics, nights, workouts
// with a heart rate trace, and the preceding weeks. The output is deterministic for a given time.
import { createSeededRandom, type SeededRandom } from '../../../shared/sandbox/life/seeded-random.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const timeZone = 'UTC';

const instant = (ms: number): string => new Date(ms).toISOString();
const dateOf = (ms: number): string => instant(ms).slice(0, 10);

export const uploadBody = (lists: object): object => ({
  time_zone: timeZone,
  device: { name: 'My watch', model: 'Watch7,5', type: 'wrist' },
  ...lists,
});

interface MetricPlan {
  metric: string;
  unit: string;
  /** Samples per hour. */
  count: number;
  isMoment?: true;
  /** Whether the metric is also measured during sleep. */
  atNight?: true;
  draw(dice: SeededRandom): number;
}

/** 126 samples per waking hour. */
const plans: readonly MetricPlan[] = [
  { metric: 'steps', unit: 'count', count: 12, draw: (dice) => dice.uniform(10, 180) },
  { metric: 'distance', unit: 'm', count: 12, draw: (dice) => dice.uniform(8, 140) },
  { metric: 'active_calories', unit: 'kcal', count: 12, draw: (dice) => dice.uniform(1, 9) },
  { metric: 'resting_energy', unit: 'kcal', count: 12, atNight: true, draw: (dice) => dice.uniform(5, 7) },
  { metric: 'flights_climbed', unit: 'count', count: 2, draw: (dice) => dice.uniform(1, 3) },
  { metric: 'exercise', unit: 'min', count: 4, draw: (dice) => dice.uniform(1, 3) },
  { metric: 'heart_rate', unit: 'bpm', count: 60, isMoment: true, atNight: true, draw: (dice) => dice.normal(72, 9) },
  {
    ...{ metric: 'heart_rate_variability', unit: 'ms', count: 2, isMoment: true, atNight: true },
    draw: (dice) => dice.normal(48, 9),
  },
  {
    metric: 'respiratory_rate',
    unit: 'brpm',
    count: 6,
    isMoment: true,
    atNight: true,
    draw: (dice) => dice.normal(15, 1),
  },
  { metric: 'blood_oxygen', unit: '%', count: 4, isMoment: true, atNight: true, draw: (dice) => dice.uniform(95, 99) },
];
export const wakingMetrics = plans.length;
export const wakingSamples = plans.reduce((sum, { count }) => sum + count, 0);

export interface Sample {
  metric: string;
  start: string;
  end?: string;
  value: number;
  unit: string;
}

/**
 * Generates up to an hour of samples. At night there are no steps or climbed flights, and the heart
 * rate is measured every five minutes.
 */
export function makeSamples(fromMs: number, toMs: number, isNight = false): Sample[] {
  const dice = createSeededRandom('an hour of a phone', fromMs);
  const share = (toMs - fromMs) / hourMs;
  return plans
    .filter(({ atNight }) => !isNight || atNight)
    .flatMap(({ metric, unit, count, isMoment, draw }) => {
      const sampleCount = Math.max(1, Math.round(count * share * (isNight && metric === 'heart_rate' ? 0.2 : 1)));
      const stepMs = (toMs - fromMs) / sampleCount;
      return Array.from({ length: sampleCount }, (_none, at) => ({
        metric,
        start: instant(fromMs + at * stepMs),
        ...(isMoment ? {} : { end: instant(fromMs + (at + 1) * stepMs) }),
        value: Math.round(draw(dice)),
        unit,
      }));
    });
}

export function makeNightUntil(endMs: number): { sleep: object[]; samples: Sample[] } {
  const dice = createSeededRandom('a night', endMs);
  const asleep = Math.round(dice.normal(425, 25));
  const [awake, latency] = [Math.round(dice.uniform(10, 35)), 12];
  const deep = Math.round(asleep * 0.17);
  const rem = Math.round(asleep * 0.23);
  const inBed = asleep + awake + latency;
  return {
    sleep: [
      {
        start: instant(endMs - inBed * minuteMs),
        end: instant(endMs),
        asleep_minutes: asleep,
        deep_minutes: deep,
        rem_minutes: rem,
        light_minutes: asleep - deep - rem,
        awake_minutes: awake + latency,
        in_bed_minutes: inBed,
      },
    ],
    samples: [
      { metric: 'resting_heart_rate', start: instant(endMs), value: Math.round(dice.normal(57, 2)), unit: 'bpm' },
      { metric: 'sleep_wrist_temperature', start: instant(endMs), value: 35 + dice.uniform(0, 0.6), unit: '°C' },
    ],
  };
}

/** A workout of 45 minutes with a heart rate every five seconds. */
export function makeWorkout(startMs: number): object {
  const dice = createSeededRandom('a workout', startMs);
  const minutes = 45;
  return {
    type: 'running',
    start: instant(startMs),
    end: instant(startMs + minutes * minuteMs),
    calories: 430,
    distance_km: 7.4,
    avg_heart_rate: 146,
    max_heart_rate: 169,
    steps: 6_900,
    heart_rate: Array.from({ length: minutes * 12 }, (_none, at) => ({
      timestamp: instant(startMs + at * 5_000),
      bpm: Math.round(dice.normal(146, 8)),
    })),
  };
}

/** The user's baseline: totals and nights of the days before `dayStartMs`. */
export function makeWeeksBefore(
  dayStartMs: number,
  days: number,
): { daily: object[]; sleep: object[]; samples: Sample[] } {
  const starts = Array.from({ length: days }, (_none, back) => dayStartMs - (days - back) * dayMs);
  const nights = starts.map((start) => makeNightUntil(start + 7 * hourMs));
  return {
    daily: starts.flatMap((start) => makeTotals(start)),
    sleep: nights.flatMap(({ sleep }) => sleep),
    samples: nights.flatMap(({ samples }) => samples),
  };
}

function makeTotals(startMs: number): object[] {
  const dice = createSeededRandom('totals', startMs);
  const total = (metric: string, unit: string, mean: number, deviation: number) => ({
    ...{ date: dateOf(startMs), metric, unit },
    value: Math.max(1, Math.round(dice.normal(mean, deviation))),
  });
  return [
    total('steps', 'count', 8_500, 2_000),
    total('distance', 'm', 6_400, 1_500),
    total('active_calories', 'kcal', 480, 110),
    total('resting_energy', 'kcal', 1_620, 40),
    total('exercise', 'min', 38, 14),
    total('flights_climbed', 'count', 9, 3),
    total('heart_rate', 'bpm', 71, 3),
    total('heart_rate_variability', 'ms', 48, 6),
    total('respiratory_rate', 'brpm', 15, 0.5),
    total('blood_oxygen', '%', 97, 0.6),
  ];
}
