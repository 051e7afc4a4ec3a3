// The worked examples on the scores page: their inputs with ranges, and the cases they start from.
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';

export interface ExampleInput {
  name: string;
  label: string;
  unit: string;
  min: number;
  max: number;
  step: number;
  /** The input can be switched off, because a device or a log can omit it. */
  optional: boolean;
}

/** Values by input name; null where a value was not measured, logged or given in the profile. */
export type ExampleValues = Readonly<Record<string, number | null>>;

export interface ExampleCase {
  title: string;
  values: ExampleValues;
}

export interface ScoreExample {
  inputs: readonly ExampleInput[];
  /** The unit of each factor's value. */
  units: Readonly<Record<string, string>>;
  /** The example starts from the first case. */
  cases: readonly [ExampleCase, ...ExampleCase[]];
}

type Range = readonly [min: number, max: number, step: number];
const requiredInput = (name: string, label: string, unit: string, [min, max, step]: Range): ExampleInput => ({
  name,
  label,
  unit,
  min,
  max,
  step,
  optional: false,
});
const optionalInput = (...args: Parameters<typeof requiredInput>): ExampleInput => ({
  ...requiredInput(...args),
  optional: true,
});

/** The usual values in the heart examples. Every earlier night is close to them. */
export const usualNight = { variability: 50, rate: 58, breathing: 15 } as const;

const ageInput = optionalInput('age', 'Age', 'years', [0, 95, 1]);
const heartInputs = [
  requiredInput('nights', 'Nights from this device in the previous 28', 'nights', [0, 28, 1]),
  requiredInput('spread', 'Variation between those nights (100%: as assumed, σ₀)', '%', [0, 200, 10]),
  optionalInput('variability', `Heart rate variability, usually ${usualNight.variability}`, 'ms', [20, 110, 1]),
  optionalInput('rate', `Resting heart rate, usually ${usualNight.rate}`, 'bpm', [48, 80, 0.5]),
];

const heartUnits = { heart_rate_variability: 'ms', resting_heart_rate: 'bpm' };

const night = { age: 40, main: 440, naps: 0, efficiency: 88, latency: 20, restorative: 150 };
const fiveNights = { nights: 5, spread: 10, variability: 44, rate: 60 };
const usualValues = { nights: 28, spread: 100, variability: usualNight.variability, rate: usualNight.rate };
const deskDay = { days: 28, energy_usual: 150, exercise_usual: 0, steps_usual: 3000 };
const meals = { protein: 70, fiber: 26, saturated_fat: 24, sugar: 80, sodium: 2300 };
const adultValues = { age: 40, weight: 70, height: 175, days: 7, spent: 2300 };

export const scoreExamples: Readonly<Record<ScoreId, ScoreExample>> = {
  sleep_score: {
    units: { duration: 'min', efficiency: '%', restorative: 'min', latency: 'min' },
    inputs: [
      ageInput,
      requiredInput('main', 'Longest sleep', 'min', [0, 840, 10]),
      requiredInput('naps', 'Other sleep that day', 'min', [0, 360, 10]),
      optionalInput('efficiency', 'Efficiency of the longest sleep', '%', [50, 100, 1]),
      optionalInput('latency', 'Time to fall asleep', 'min', [0, 90, 1]),
      optionalInput('restorative', 'Deep and REM sleep', 'min', [0, 300, 5]),
    ],
    cases: [
      { title: 'A night of 7 h 20 at 40 years', values: night },
      { title: 'The same night at 70', values: { ...night, age: 70 } },
      { title: 'The same night at 8', values: { ...night, age: 8 } },
      {
        title: 'A flat battery: only a nap of 40 minutes was recorded',
        values: { age: 40, main: 40, naps: 0, efficiency: null, latency: null, restorative: null },
      },
      { title: 'A night of two and a half hours', values: { ...night, main: 150, restorative: 50 } },
      { title: 'Two sleeps on one date, after a night shift', values: { ...night, main: 260, naps: 200 } },
      { title: 'A device that reports no stages', values: { ...night, restorative: null } },
    ],
  },
  recovery_score: {
    units: { ...heartUnits, sleep: 'points', respiratory_rate: '/min' },
    inputs: [
      ...heartInputs,
      optionalInput('breathing', `Breathing asleep, usually ${usualNight.breathing}`, '/min', [11, 21, 0.1]),
      optionalInput('sleep', 'Sleep score', 'points', [0, 100, 1]),
    ],
    cases: [
      { title: 'Five quiet nights, then 44 ms and 60 bpm', values: { ...fiveNights, breathing: 15.5, sleep: 100 } },
      {
        title: 'A resting heart rate of 58 for 28 days, then 61; nothing else',
        values: { nights: 28, spread: 0, variability: null, rate: 61, breathing: null, sleep: null },
      },
      {
        title: 'A resting heart rate of 69, no variability, a good night',
        values: { nights: 28, spread: 60, variability: null, rate: 69, breathing: null, sleep: 98 },
      },
      { title: 'A usual night', values: { ...usualValues, breathing: usualNight.breathing, sleep: 85 } },
      {
        title: 'Very high variability, slow breathing',
        values: { ...usualValues, variability: 90, breathing: 12, sleep: 85 },
      },
      { title: 'The second night of a new device', values: { ...usualValues, nights: 1, breathing: 15, sleep: 85 } },
    ],
  },
  strain_score: {
    units: { active_energy: 'kcal', exercise: 'min', steps: 'steps' },
    inputs: [
      requiredInput('days', 'Days this device was worn in the previous 28', 'days', [0, 28, 1]),
      requiredInput('energy_usual', 'Active energy, usual', 'kcal', [50, 1500, 10]),
      optionalInput('energy', 'Active energy today', 'kcal', [0, 3000, 10]),
      requiredInput('exercise_usual', 'Exercise, usual', 'min', [0, 120, 5]),
      optionalInput('exercise', 'Exercise today', 'min', [0, 240, 5]),
      requiredInput('steps_usual', 'Steps, usual', 'steps', [500, 20_000, 100]),
      optionalInput('steps', 'Steps today', 'steps', [0, 40_000, 100]),
    ],
    cases: [
      { title: 'A desk worker walks for half an hour', values: { ...deskDay, energy: 290, exercise: 30, steps: 5800 } },
      {
        title: 'The same walk with a device that does not report exercise',
        values: { ...deskDay, energy: 290, exercise: null, steps: 5800 },
      },
      {
        title: 'A usual day',
        values: {
          ...deskDay,
          days: 28,
          energy_usual: 400,
          energy: 400,
          exercise_usual: 30,
          exercise: 30,
          steps_usual: 8000,
          steps: 8000,
        },
      },
      {
        title: 'Twice the usual activity',
        values: {
          ...deskDay,
          energy_usual: 400,
          energy: 800,
          exercise_usual: 30,
          exercise: 60,
          steps_usual: 8000,
          steps: 16_000,
        },
      },
      { title: 'The watch stayed in the drawer', values: { ...deskDay, energy: 0, exercise: 0, steps: 200 } },
    ],
  },
  nutrition_score: {
    units: { energy_balance: 'kcal', protein: 'g', fiber: 'g', saturated_fat: 'g', sugar: 'g', sodium: 'mg' },
    inputs: [
      ageInput,
      optionalInput('weight', 'Body weight', 'kg', [40, 150, 1]),
      optionalInput('height', 'Height', 'cm', [140, 210, 1]),
      requiredInput('eaten', 'Energy eaten today, including drinks', 'kcal', [0, 5000, 50]),
      optionalInput('spent', 'Energy spent today, as reported by the device', 'kcal', [800, 5000, 50]),
      requiredInput('days', 'Logged days like this one, including today', 'days', [1, 7, 1]),
      optionalInput('protein', 'Protein', 'g', [0, 250, 1]),
      optionalInput('fiber', 'Fibre', 'g', [0, 70, 1]),
      optionalInput('saturated_fat', 'Saturated fat', 'g', [0, 100, 1]),
      optionalInput('sugar', 'Total sugars', 'g', [0, 300, 5]),
      optionalInput('sodium', 'Sodium', 'mg', [0, 7000, 50]),
    ],
    cases: [
      { title: 'A logged day of 2,200 kcal', values: { ...adultValues, ...meals, eaten: 2200 } },
      {
        title: 'One snack of 200 kcal, and nothing else logged',
        values: {
          ...adultValues,
          spent: null,
          days: 1,
          eaten: 200,
          protein: 20,
          fiber: 30,
          saturated_fat: 1,
          sugar: 0,
          sodium: 100,
        },
      },
      {
        title: 'Protein, saturated fat and sodium beyond the published limits, sugars beyond our 18%',
        values: {
          ...adultValues,
          spent: null,
          eaten: 2000,
          protein: 50,
          fiber: null,
          saturated_fat: 26,
          sugar: 100,
          sodium: 2400,
        },
      },
      { title: 'The first case at 70', values: { ...adultValues, ...meals, eaten: 2200, age: 70 } },
      {
        title: 'The food log of an eight-year-old',
        values: { ...adultValues, ...meals, eaten: 1600, age: 8, weight: 40, height: 140 },
      },
    ],
  },
  stress_score: {
    units: heartUnits,
    inputs: heartInputs,
    cases: [
      { title: 'Five quiet nights, then 44 ms and 60 bpm', values: fiveNights },
      { title: 'A usual night', values: usualValues },
      { title: 'A usual rate, and variability 20 ms lower', values: { ...usualValues, variability: 30 } },
      {
        title: 'Higher variability and a lower rate than usual',
        values: { ...usualValues, variability: 65, rate: 55 },
      },
      { title: 'No heart rate variability', values: { ...usualValues, variability: null } },
    ],
  },
  energy_reserve_score: {
    units: { recovery: 'points', effort_today: 'points', effort_before: 'points' },
    inputs: [
      optionalInput('recovery', 'Recovery score', 'points', [0, 100, 1]),
      optionalInput('strain', 'Strain score today', 'points', [0, 100, 1]),
      optionalInput('yesterday', 'Strain score yesterday', 'points', [0, 100, 1]),
      optionalInput('earlier', 'Strain score on each of the six days before that', 'points', [0, 100, 1]),
    ],
    cases: [
      { title: 'A usual day after usual days', values: { recovery: 70, strain: 50, yesterday: 50, earlier: 50 } },
      { title: 'A day of rest after a hard week', values: { recovery: 55, strain: 15, yesterday: 80, earlier: 75 } },
      { title: 'A hard day after a restful week', values: { recovery: 80, strain: 85, yesterday: 20, earlier: 25 } },
      { title: 'No recovery score', values: { recovery: null, strain: 50, yesterday: 50, earlier: 50 } },
    ],
  },
};
