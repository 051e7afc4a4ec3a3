// Maps the workout types that phone apps send to the catalog's types.
export const workoutTypeByName: ReadonlyMap<string, string> = new Map([
  ['running', 'running'],
  ['cycling', 'cycling'],
  ['yoga', 'yoga'],
  ['Trail Running', 'trail_running'],
  ['HKWorkoutActivityTypeTraditionalStrengthTraining', 'strength_training'],
  ['EXERCISE_TYPE_BIKING_STATIONARY', 'indoor_cycling'],
  ['kite buggying', 'other'],
]);
