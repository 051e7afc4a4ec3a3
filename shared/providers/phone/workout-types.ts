// Maps a phone app's name for a workout, which is a type from the vocabulary or the platform's own
// name.
import { findWorkoutType, type WorkoutType } from '../../catalog/workout-types.ts';
import { appleWorkoutType } from '../apple-health/workout-types.ts';
import { healthConnectWorkoutType } from '../health-connect/workout-types.ts';
import { samsungWorkoutNumber, samsungWorkoutType } from '../samsung-health/workout-types.ts';

const platformLookups = [appleWorkoutType, healthConnectWorkoutType, samsungWorkoutType, samsungWorkoutNumber];
const platformPrefix = /^\s*(HKWorkoutActivityType|EXERCISE_(SESSION_)?TYPE_)/i;

/**
 * The numeric codes of Apple and of Health Connect mean different things, and an upload does not
 * say whose code it uses, so they become `other`.
 */
export function lookUpUploadedWorkoutType(sourceType: string): WorkoutType {
  const named = findWorkoutType(sourceType);
  if (named) return named;
  const word = sourceType.replace(platformPrefix, '').trim();
  return platformLookups.map((typeOf) => typeOf(word)).find((type) => type !== 'other') ?? 'other';
}
