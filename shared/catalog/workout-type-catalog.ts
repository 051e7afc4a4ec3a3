// The vocabulary of workout types as the API shows it.
import * as z from 'zod';
import { getParentType, type WorkoutType, workoutTypes } from './workout-types.ts';

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

export function getWorkoutTypeName(type: WorkoutType): string {
  const words = type.replaceAll('_', ' ');
  return displayNames[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export const WorkoutTypeId = z.string().meta({
  description: 'A workout type of `GET /v1/workout-types`; `other` where it is not known.',
  examples: ['running'],
});

export const SourceType = z
  .string()
  .nullable()
  .meta({
    description:
      'The word or number by which the provider, or the app on the phone, calls the type; null when it gave none.',
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
  workout_types: workoutTypes.map((id) => ({ id, display_name: getWorkoutTypeName(id), parent: getParentType(id) })),
};
