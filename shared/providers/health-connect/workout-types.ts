// The exercise types of Health Connect, without their `EXERCISE_TYPE_` prefix.
import { createNameLookup } from '../kit/workout-type-lookup.ts';

export const healthConnectWorkoutType = createNameLookup(`
bootcamp: BOOT_CAMP
cycling: BIKING
indoor_cycling: BIKING_STATIONARY
group_exercise: EXERCISE_CLASS
american_football: FOOTBALL_AMERICAN
australian_football: FOOTBALL_AUSTRALIAN
disc_sports: FRISBEE_DISC
breathwork: GUIDED_BREATHING
hiit: HIGH_INTENSITY_INTERVAL_TRAINING
indoor_rowing: ROWING_MACHINE
indoor_running: RUNNING_TREADMILL
downhill_skiing: SKIING
stair_climbing: STAIR_CLIMBING_MACHINE
open_water_swimming: SWIMMING_OPEN_WATER
swimming: SWIMMING_POOL
other: OTHER_WORKOUT UNKNOWN
`);
