// The vocabulary of workout types as returned by the API.
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

export const WorkoutTypeId = z.enum(workoutTypes).meta({
  id: 'WorkoutTypeId',
  description: 'A workout type from `GET /v1/workout-types`; `other` if the type is not known. New types may be added.',
  examples: ['running'],
});

export const SourceType = z
  .string()
  .nullable()
  .meta({
    description:
      'The word or number that the provider, or the app on the phone, uses for the type. Null if it sent none.',
    examples: ['RUNNING'],
  });

export const WorkoutTypeRow = z
  .object({
    id: WorkoutTypeId,
    display_name: z.string().meta({ description: 'The display name.', examples: ['Trail running'] }),
    parent: WorkoutTypeId.nullable().meta({
      description: 'The more general type that this one belongs to; null for a top-level type.',
      examples: ['running'],
    }),
  })
  .meta({ id: 'WorkoutType', description: 'A kind of workout.' });

export const WorkoutTypeCatalog = z
  .object({
    workout_types: z
      .array(WorkoutTypeRow)
      .meta({ description: 'Every workout type, each after its parent. New types may be added.' }),
  })
  .meta({ id: 'WorkoutTypeCatalog', description: 'Every workout type that the service supports.' });
export type WorkoutTypeCatalog = z.infer<typeof WorkoutTypeCatalog>;

export const workoutTypeCatalog: WorkoutTypeCatalog = {
  workout_types: workoutTypes.map((id) => ({ id, display_name: getWorkoutTypeName(id), parent: getParentType(id) })),
};
