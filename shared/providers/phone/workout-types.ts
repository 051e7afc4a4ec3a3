// What a phone's app calls a workout: a type of the vocabulary, or its platform's own word.
import { namedWorkoutType, type WorkoutType } from '../../catalog/workout-types.ts';
import { appleWorkoutType } from '../apple-health/workout-types.ts';
import { healthConnectWorkoutType } from '../health-connect/workout-types.ts';
import { samsungWorkoutNumber, samsungWorkoutType } from '../samsung-health/workout-types.ts';

const platforms = [appleWorkoutType, healthConnectWorkoutType, samsungWorkoutType, samsungWorkoutNumber];
const platformName = /^\s*(HKWorkoutActivityType|EXERCISE_(SESSION_)?TYPE_)/i;

/**
 * The numbers of Apple and of Health Connect mean different things, and an upload does not say
 * whose they are: they are `other`.
 */
export function uploadedWorkoutType(given: string): WorkoutType {
  const named = namedWorkoutType(given);
  if (named) return named;
  const word = given.replace(platformName, '').trim();
  return platforms.map((typeOf) => typeOf(word)).find((type) => type !== 'other') ?? 'other';
}
