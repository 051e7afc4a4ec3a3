// COROS' sports: a mode, with a sub-mode if that is more specific, or a sport type, written here
// with a `t` prefix.
import type { WorkoutType } from '../../catalog/workout-types.ts';
import { createCodeLookup } from '../kit/workout-type-lookup.ts';
import type { CorosSegment } from './items.ts';

const lookUpType = createCodeLookup(`
running: 8 t100
indoor_running: 8/2 t101
trail_running: 15 t102
track_running: 20 t103
walking: 31 t900
hiking: 16 t104
cycling: 9 t200 t299 t9807
indoor_cycling: 9/2 t201
e_biking: t202
gravel_cycling: t203
mountain_biking: t204
e_mountain_biking: t205
swimming: 10 t300
open_water_swimming: t301
multisport: 13 t10001
triathlon: t10000
mountaineering: 14 t105
climbing: 33 t106 t10003
rock_climbing: t802
indoor_climbing: t800
bouldering: t801
cardio: 18 t400 t401
strength_training: 23 t402
cross_country_skiing: 19 t502
downhill_skiing: 21 t500
snowboarding: 21/2 t501
ski_touring: 29 t503 t10002
rowing: 24 t700
indoor_rowing: 24/2 t701
rafting: 25 t702
paddling: 26 t704
windsurfing: 27 28 t705 t706
jump_rope: 34 t901
stair_climbing: t902
elliptical: 41 t903
yoga: 42 t403 t904
pilates: 43
boxing: 44
tennis: 47
other: 98 99
`);

/** Uses the sub-mode only if it is known to be more specific. */
export function corosWorkoutType({ mode, subMode, sportType }: CorosSportCodes): WorkoutType {
  if (typeof mode !== 'number') return lookUpType(`t${sportType}`);
  const detailed = lookUpType(`${mode}/${subMode}`);
  return detailed === 'other' ? lookUpType(mode) : detailed;
}

type CorosSportCodes = Pick<CorosSegment, 'mode' | 'subMode' | 'sportType'>;

export function corosSourceType({ mode, subMode, sportType }: CorosSportCodes): string | undefined {
  if (typeof mode === 'number') return typeof subMode === 'number' ? `${mode}/${subMode}` : String(mode);
  return typeof sportType === 'number' ? String(sportType) : undefined;
}
