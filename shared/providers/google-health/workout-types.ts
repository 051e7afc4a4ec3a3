// The exercise types of the Google Health API.
import { createNameLookup } from '../kit/workout-type-lookup.ts';

export const googleWorkoutType = createNameLookup(`
aerobics: AEROBIC_WORKOUT
indoor_cycling: ASSAULT_BIKE STATIONARY_BIKE SPINNING
ballroom_dancing: BALLROOM_DANCE
barre: BARRE_CLASS
cycling: BIKING OUTDOOR_BIKE
calisthenics: BODY_WEIGHT
street_dancing: BREAKDANCING HIP_HOP
cardio: CARDIO_SCULPT CARDIO_WORKOUT
manual_labor: CARPENTRY SHOVELING
cross_country_skiing: CROSS_COUNTRY_SKI
e_biking: ELECTRIC_BIKE
scootering: ELECTRIC_SCOOTER
horseback_riding: EQUESTRIAN_SPORTS
group_exercise: EXERCISE_CLASS
american_football: FOOTBALL_AMERICAN
australian_football: FOOTBALL_AUSTRALIAN
strength_training: FREE_WEIGHTS RESISTANCE_BANDS WEIGHT_MACHINES WEIGHTS TRX
disc_sports: FRISBEE_PLAYING_GENERAL
ultimate: ULTIMATE_FRISBEE
handcycling: HAND_CYCLING
gardening: HOEING MOWING_LAWN WEEDING
chores: HOUSEHOLD_CHORES PAINTING
running: INCLINE_RUN
walking: INCLINE_WALK WALK_WITH_WEIGHTS
hiit: INTERVAL_WORKOUT TABATA_WORKOUT
dancing: JAZZ_DANCE TANGO
modern_dancing: MODERN_DANCE
jump_rope: JUMPING_ROPE
meditation: MEDITATE
motorcycling: MOTORCYCLE
mountain_biking: MOUNTAIN_BIKE
stand_up_paddling: PADDLEBOARDING
pickleball: PICKELBALL
inline_skating: ROLLERBLADING
indoor_rowing: ROWING_MACHINE
downhill_skiing: SKIING
winter_sports: SNOW_SPORT
stair_climbing: STAIRCLIMBER
stroller_walking: STROLLER_WALK
open_water_swimming: SWIMMING_OPEN_WATER
swimming: SWIMMING_POOL
artistic_swimming: SYNCHRONIZED_SWIMMING
athletics: TRACK_AND_FIELD
trail_running: TRAIL_RUN
trampolining: TRAMPOLINE
indoor_running: TREADMILL TREADMILL_RUNNING
indoor_walking: TREADMILL_WALK TREADMILL_WALKING
beach_volleyball: VOLLEYBALL_BEACH
aqua_fitness: WATER_AEROBICS WATER_JOGGING
water_sports: WATER_SPORT WATER_VOLLEYBALL
yoga: YOGA_BIKRAM YOGA_HATHA YOGA_POWER YOGA_VINYASA
fitness_dancing: ZUMBA
other: WORKOUT OUTDOOR_WORKOUT SPORT MUSICAL_PERFORMANCE EXERCISE_TYPE_UNSPECIFIED
`);
