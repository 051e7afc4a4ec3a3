// The vocabulary of workout types as the API shows it.
import * as z from 'zod';
import { namedWorkoutType, parentOf, type WorkoutType, workoutTypes } from './workout-types.ts';

const displayNames: Partial<Record<WorkoutType, string>> = {
  bmx: 'BMX',
  crossfit: 'CrossFit',
  cross_country_skiing: 'Cross-country skiing',
  e_biking: 'E-biking',
  e_mountain_biking: 'E-mountain biking',
  hiit: 'High-intensity interval training',
  jiu_jitsu: 'Jiu-jitsu',
  muay_thai: 'Muay Thai',
  off_road_driving: 'Off-road driving',
  stand_up_paddling: 'Stand-up paddling',
};

export function displayNameOf(type: WorkoutType): string {
  const words = type.replaceAll('_', ' ');
  return displayNames[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What was stored before there was a vocabulary. */
const formerWords: Readonly<Record<string, WorkoutType>> = {
  alpine_skiing: 'downhill_skiing',
  backcountry_skiing: 'ski_touring',
  biking: 'cycling',
  dance: 'dancing',
  e_bike_fitness: 'e_biking',
  e_bike_mountain: 'e_mountain_biking',
  electric_bike: 'e_biking',
  enduro_mtb: 'mountain_biking',
  flatwater: 'paddling',
  functional_fitness: 'functional_training',
  hiking_rucking: 'hiking',
  incline_run: 'running',
  indoor_cardio: 'cardio',
  interval_training: 'hiit',
  jumping_rope: 'jump_rope',
  mountain_climbing: 'mountaineering',
  outdoor_bike: 'cycling',
  paddleboarding: 'stand_up_paddling',
  skiing: 'downhill_skiing',
  spin: 'indoor_cycling',
  stairmaster: 'stair_climbing',
  stroller_jogging: 'stroller_running',
  trail_run: 'trail_running',
  treadmill_walk: 'indoor_walking',
  weights: 'strength_training',
};

/** The type of a stored workout; the release that wrote it may have had another word for it. */
export const storedWorkoutType = (word: string): WorkoutType =>
  namedWorkoutType(word) ?? (Object.hasOwn(formerWords, word) ? formerWords[word] : undefined) ?? 'other';

export const WorkoutTypeId = z.string().meta({
  description: 'A workout type of `GET /v1/workout-types`; `other` where it is not known.',
  examples: ['running'],
});

export const SourceType = z
  .string()
  .nullable()
  .meta({
    description:
      'The word or number by which the provider, or the app on the phone, calls the type; null when it gave none, and for workouts of earlier releases.',
    examples: ['RUNNING'],
  });

export const WorkoutTypeRow = z
  .object({
    id: WorkoutTypeId,
    display_name: z.string().meta({ description: 'The display name.', examples: ['Trail running'] }),
    parent: z
      .string()
      .nullable()
      .meta({ description: 'The wider type that it is a kind of; null for the widest.', examples: ['running'] }),
  })
  .meta({ id: 'WorkoutType', description: 'A kind of workout.' });

export const WorkoutTypeCatalog = z
  .object({
    workout_types: z
      .array(WorkoutTypeRow)
      .meta({ description: 'Every workout type, each after its parent; types may be added.' }),
  })
  .meta({ id: 'WorkoutTypeCatalog', description: 'Every workout type the service knows.' });
export type WorkoutTypeCatalog = z.infer<typeof WorkoutTypeCatalog>;

export const workoutTypeCatalog: WorkoutTypeCatalog = {
  workout_types: workoutTypes.map((id) => ({ id, display_name: displayNameOf(id), parent: parentOf(id) })),
};
