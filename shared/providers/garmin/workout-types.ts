// Garmin's activity types. Some have a newer name with a suffix (`ROWING_V2`, `SKATE_SKIING_WS`)
// that means the same.
import type { WorkoutType } from '../../catalog/workout-types.ts';
import { createNameLookup } from '../kit/workout-type-lookup.ts';

const lookUpType = createNameLookup(`
walking: CASUAL_WALKING
power_walking: SPEED_WALKING
running: STREET_RUNNING
ultra_running: ULTRA_RUN
obstacle_course_racing: OBSTACLE_RUN OBSTACLE_RACING
indoor_running: TREADMILL_RUNNING VIRTUAL_RUN INDOOR_TRACK
cycling: ROAD_BIKING RECUMBENT_CYCLING MIXED_SURFACE BIKE_COMMUTE BIKE_TOURING
mountain_biking: DOWNHILL_BIKING ENDURO_MTB
e_biking: E_BIKE_FITNESS E_BIKE
e_mountain_biking: E_BIKE_MOUNTAIN E_ENDURO_MTB
indoor_cycling: VIRTUAL_RIDE INDOOR_HANDCYCLING
handcycling: HAND_CYCLING
swimming: LAP_SWIMMING
fitness: FITNESS_EQUIPMENT
cardio: INDOOR_CARDIO CARDIO_TRAINING
stair_climbing: FLOOR_CLIMBING
dancing: DANCE
downhill_skiing: RESORT_SKIING RESORT_SKIING_SNOWBOARDING
snowboarding: RESORT_SNOWBOARDING
ski_touring: BACKCOUNTRY_SKIING BACKCOUNTRY_SKIING_SNOWBOARDING
ice_skating: SKATING
snowshoeing: SNOW_SHOE
water_skiing: WATERSKIING
water_sports: WATER_TUBING
kitesurfing: KITEBOARDING WIND_KITE_SURFING
sailing: OFFSHORE_GRINDING ONSHORE_GRINDING
stand_up_paddling: STAND_UP_PADDLEBOARDING
rafting: WHITEWATER_RAFTING WHITEWATER_RAFTING_KAYAKING
diving: SINGLE_GAS_DIVING MULTI_GAS_DIVING GAUGE_DIVING CCR_DIVING
freediving: APNEA_DIVING
spearfishing: APNEA_HUNTING
transition: BIKE_TO_RUN_TRANSITION RUN_TO_BIKE_TRANSITION SWIM_TO_BIKE_TRANSITION
multisport: MULTI_SPORT
adventure_racing: ADVENTURE_RACE
ultimate: ULTIMATE_DISC
padel: PADDELBALL
skydiving: SKY_DIVING WINGSUIT_FLYING JUMPMASTER
off_road_driving: ATV OVERLANDING
car_racing: AUTO_RACING DRIVING_GENERAL
esports: E_SPORT
wheelchair_running: WHEELCHAIR_PUSH_RUN
wheelchair_walking: WHEELCHAIR_PUSH_WALK
other: STOP_WATCH UNCATEGORIZED ALL RC_DRONE TACTICAL ASSISTANCE
`);

const versionSuffix = /_(WS|V\d+)$/i;

export const garminWorkoutType = (type: string | null | undefined): WorkoutType =>
  lookUpType(type?.replace(versionSuffix, ''));

/** True for a parent activity, whose parts are sent too. */
export const isGarminMultisport = (type: string | null | undefined): boolean => type === 'MULTI_SPORT';
