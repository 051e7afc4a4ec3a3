// The exercise types of Samsung Health, by name and by their former number.
import { createCodeLookup, createNameLookup } from '../kit/workout-type-lookup.ts';

export const samsungWorkoutType = createNameLookup(`
soccer: FOOTBALL
fitness: HULA_HOOPING
calisthenics: PUSH_UPS PULL_UPS SIT_UPS MOUNTAIN_CLIMBERS JUMPING_JACKS BURPEE SQUATS LUNGES CRUNCH LEG_RAISES PLANK
calisthenics: BACK_EXTENSIONS HIGH_KNEES SKATERS
strength_training: BENCH_PRESS LEG_PRESSES LEG_EXTENSIONS LEG_CURLS LAT_PULLDOWNS DEADLIFTS SHOULDER_PRESSES FRONT_RAISES
strength_training: LATERAL_RAISES ARM_CURLS ARM_EXTENSIONS WEIGHT_MACHINE
shooting: PISTOL_SHOOTING
cycling: BIKING
disc_sports: FLYING_DISC
swimming: POOL_SWIMMING
aqua_fitness: AQUAROBICS
boating: YACHTING
step_training: STEP_MACHINE
indoor_cycling: EXERCISE_BIKE STATIONARY_BIKING
indoor_rowing: ROWING_MACHINE
indoor_running: TREADMILL
elliptical: ELLIPTICAL_TRAINER
stair_climbing: STAIR_CLIMBING_MACHINE
downhill_skiing: SKIING ALPINE_SKIING
other: UNDEFINED
`);

export const samsungWorkoutNumber = createCodeLookup(`
walking: 1001
running: 1002
baseball: 2001
softball: 2002
cricket: 2003
golf: 3001
billiards: 3002
bowling: 3003
hockey: 4001
rugby: 4002
basketball: 4003
soccer: 4004
handball: 4005
american_football: 4006
volleyball: 5001
beach_volleyball: 5002
squash: 6001
tennis: 6002
badminton: 6003
table_tennis: 6004
racquetball: 6005
boxing: 7002
martial_arts: 7003
ballet: 8001
dancing: 8002
ballroom_dancing: 8003
pilates: 9001
yoga: 9002
stretching: 10001
jump_rope: 10002
fitness: 10003
calisthenics: 10004 10005 10006 10008 10009 10010 10012 10013 10017 10023 10024 10025
circuit_training: 10007
strength_training: 10011 10014 10015 10016 10018 10019 10020 10021 10022 10026 10027 15002
inline_skating: 11001
hang_gliding: 11002
shooting: 11003
archery: 11004
horseback_riding: 11005
cycling: 11007
disc_sports: 11008
roller_skating: 11009
aerobics: 12001
hiking: 13001
rock_climbing: 13002
backpacking: 13003
mountain_biking: 13004
orienteering: 13005
swimming: 14001
aqua_fitness: 14002
canoeing: 14003
sailing: 14004
scuba_diving: 14005
snorkeling: 14006
kayaking: 14007
kitesurfing: 14008
rafting: 14009
rowing: 14010
windsurfing: 14011
boating: 14012
water_skiing: 14013
step_training: 15001
indoor_cycling: 15003
indoor_rowing: 15004
indoor_running: 15005
elliptical: 15006
cross_country_skiing: 16001
downhill_skiing: 16002 16008
ice_dancing: 16003
ice_skating: 16004
ice_hockey: 16006
snowboarding: 16007
snowshoeing: 16009
`);
