// Polar's sports: a general one, and a detailed one that is more specific. The detailed names of a
// group start with the name of the group.
import type { WorkoutType } from '../../catalog/workout-types.ts';
import { createNameLookup } from '../kit/workout-type-lookup.ts';

const lookUpType = createNameLookup(`
dog_agility: AGILITY
aqua_fitness: AQUATICS WATER_RUNNING WATER_EXERCISE
ski_touring: BACKCOUNTRY_SKIING
ballet: BALLET_DANCING
mind_and_body: BODY_AND_MIND LES_MILLS_BODYBALANCE
core_training: CORE LES_MILLS_CXWORKS
elliptical: CROSS_TRAINER
trail_running: CROSS_COUNTRY_RUNNING OFFROADDUATHLON_RUNNING OFFROADTRIATHLON_RUNNING RUNNING_TRAIL
running: DUATHLON_RUNNING TRIATHLON_RUNNING JOGGING ROAD_RUNNING RUNNING_ROAD
track_running: TRACK_AND_FIELD_RUNNING
ultra_running: ULTRARUNNING_RUNNING
indoor_running: TREADMILL_RUNNING RUNNING_TREADMILL
cycling: DUATHLON_CYCLING TRIATHLON_CYCLING ROAD_BIKING CYCLING_ROAD
mountain_biking: OFFROADDUATHLON_CYCLING OFFROADTRIATHLON_CYCLING CYCLING_MOUNTAIN CYCLING_MOUNTAIN_BIKE
cyclocross: CYCLING_CYCLOCROSS
indoor_cycling: SPINNING LES_MILLS_RPM LES_MILLS_SPRINT LES_MILLS_TRIP CYCLING_INDOOR
gravel_cycling: GRAVEL
e_biking: E_BIKE
swimming: POOL_SWIMMING SWIMMING_POOL AQUATICS_SWIMMING
open_water_swimming: TRIATHLON_SWIMMING OFFROADTRIATHLON_SWIMMING SWIMMING_OPEN_WATER
duathlon: OFFROADDUATHLON
triathlon: OFFROADTRIATHLON
multisport: FREE_MULTISPORT
step_training: FITNESS_STEP LES_MILLS_BODYSTEP
disc_golf: FRISBEEGOLF
gymnastics: GYMNASTICK
dancing: JAZZ_DANCING LATIN_DANCING SHOW_DANCING
fitness_dancing: LES_MILLS_BODYJAM LES_MILLS_SHBAM
judo: JUDO_MARTIAL_ARTS
kickboxing: KICKBOXING_MARTIAL_ARTS
taekwondo: TAEKWONDO_MARTIAL_ARTS
fitness_martial_arts: LES_MILLS_BODYCOMBAT
kettlebell_training: KETTLEBELL
scootering: KICKBIKE
barre: LES_MILLS_BARRE
group_exercise: LES_MILLS_BODYATTACK LES_MILLS_TONE
strength_training: LES_MILLS_BODYPUMP
hiit: LES_MILLS_GRIT_ATHLETIC LES_MILLS_GRIT_CARDIO LES_MILLS_GRIT_STRENGTH
mobility: MOBILITY_DYNAMIC MOBILITY_STATIC
car_racing: MOTORSPORTS_CAR_RACING MOTORSPORTS_ROADRACING
motocross: MOTORSPORTS_ENDURO MOTORSPORTS_HARD_ENDURO MOTORSPORTS_MOTOCROSS
snowmobiling: MOTORSPORTS_SNOCROSS
orienteering: ORIENTEERING_MTB ORIENTEERING_SKI
handcycling: PARASPORTS_HAND_CYCLING
sled_hockey: PARASPORTS_SLED_HOCKEY
water_skiing: PARASPORTS_WATER_SKIING WATERSPORTS_WATERSKI
wheelchair: PARASPORTS_WHEELCHAIR
wheelchair_basketball: PARASPORTS_WHEELCHAIR_BASKETBALL
wheelchair_tennis: PARASPORTS_WHEELCHAIR_TENNIS
horseback_riding: RIDING
roller_skating: ROLLER_BLADING
roller_skiing: ROLLER_SKIING_CLASSIC ROLLER_SKIING_FREESTYLE
shooting: SHOOTING_SPORT_INDOOR SHOOTING_SPORT_OUTDOOR
ski_machine: SKIERG
snowshoeing: SNOWSHOE_TREKKING
stand_up_paddling: SUP
stair_climbing: STAIR_WORKOUT
indoor_climbing: VERTICALSPORTS_WALLCLIMBING
rock_climbing: VERTICALSPORTS_OUTCLIMBING
canoeing: WATERSPORTS_CANOEING
kayaking: WATERSPORTS_KAYAKING
kitesurfing: WATERSPORTS_KITESURFING
sailing: WATERSPORTS_SAILING
surfing: WATERSPORTS_SURFING
wakeboarding: WATERSPORTS_WAKEBOARDING
windsurfing: WATERSPORTS_WINDSURFING
nordic_walking: WALKING_NORDIC
classic_skiing: XC_SKIING_CLASSIC
skate_skiing: XC_SKIING_FREESTYLE
other: OTHER_INDOOR OTHER_OUTDOOR
`);

const groupPrefix = /^(FITNESS|MOTORSPORTS|PARASPORTS|RACKET_SPORTS|TEAMSPORTS|WATERSPORTS|WINTERSPORTS)_/;

/** The detailed name takes precedence if it is known. */
export function polarWorkoutType(detailed: string | null | undefined, sport: string | null | undefined): WorkoutType {
  const names = [detailed, detailed?.replace(groupPrefix, ''), sport];
  return names.map(lookUpType).find((type) => type !== 'other') ?? 'other';
}
