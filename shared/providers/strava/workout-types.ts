// Strava's sport types. An activity on a trainer or a treadmill is indoors.
import { getParentType, type WorkoutType } from '../../catalog/workout-types.ts';
import { createNameLookup } from '../kit/workout-type-lookup.ts';

const lookUpType = createNameLookup(`
running: Run
trail_running: TrailRun
indoor_running: VirtualRun
walking: Walk
hiking: Hike
cycling: Ride Velomobile
gravel_cycling: GravelRide
mountain_biking: MountainBikeRide
e_biking: EBikeRide
e_mountain_biking: EMountainBikeRide
handcycling: Handcycle
indoor_cycling: VirtualRide
swimming: Swim
indoor_rowing: VirtualRow
strength_training: WeightTraining
hiit: HighIntensityIntervalTraining
stair_climbing: StairStepper
dancing: Dance
kitesurfing: Kitesurf
windsurfing: Windsurf
sailing: Sail
downhill_skiing: AlpineSki
ski_touring: BackcountrySki
cross_country_skiing: NordicSki
roller_skiing: RollerSki
snowboarding: Snowboard
snowshoeing: Snowshoe
ice_skating: IceSkate
inline_skating: InlineSkate
skateboarding: Skateboard
other: Workout
`);

const indoorVariants: Partial<Record<WorkoutType, WorkoutType>> = {
  walking: 'indoor_walking',
  hiking: 'indoor_walking',
  running: 'indoor_running',
  cycling: 'indoor_cycling',
  rowing: 'indoor_rowing',
};

export function stravaWorkoutType(kind: string | null | undefined, isIndoors: boolean): WorkoutType {
  const type = lookUpType(kind);
  if (!isIndoors) return type;
  const base = [type, getParentType(type), getParentType(getParentType(type) ?? 'other')].find(
    (each) => each && indoorVariants[each],
  );
  return (base && indoorVariants[base]) ?? type;
}
