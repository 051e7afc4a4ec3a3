// WHOOP's sports, by the name that it sends; older responses have a number instead.
import type { WorkoutType } from '../../catalog/workout-types.ts';
import { createCodeLookup, createNameLookup } from '../kit/workout-type-lookup.ts';

const lookUpTypeByName = createNameLookup(`
american_football: football
downhill_skiing: skiing
athletics: track_&_field
dancing: dance
functional_training: functional_fitness f45_training barry's
hiking: hiking/rucking
stand_up_paddling: paddleboarding
stair_climbing: stairmaster climber stadium_steps
jump_rope: jumping_rope
esports: gaming
car_racing: motor_racing
indoor_cycling: spin assault_bike
fitness_boxing: box_fitness
roundnet: spikeball
wheelchair: wheelchair_pushing
racket_sports: paddle_tennis
hurling: hurling/camogie
strength_training: strength_trainer
gardening: yard_work
stroller_running: stroller_jogging
walking: caddying toddlerwearing babywearing
barre: barre3
yoga: hot_yoga
kitesurfing: kite_boarding
recovery: ice_bath massage_therapy sauna air_compression percussive_massage
other: activity operations_-_tactical operations_-_medical operations_-_flying operations_-_water coaching stage_performance
other: high_stress_work circus_arts watching_sports dedicated_parenting musical_performance public_speaking
`);

const lookUpTypeById = createCodeLookup(`
running: 0
cycling: 1
baseball: 16
basketball: 17
rowing: 18
fencing: 19
field_hockey: 20
american_football: 21
golf: 22
ice_hockey: 24
lacrosse: 25
rugby: 27
sailing: 28
downhill_skiing: 29
soccer: 30
softball: 31
squash: 32
swimming: 33
tennis: 34
athletics: 35
volleyball: 36
water_polo: 37
wrestling: 38
boxing: 39
dancing: 42
pilates: 43
yoga: 44 259
weightlifting: 45
cross_country_skiing: 47
functional_training: 48 248 250
duathlon: 49
gymnastics: 51
hiking: 52
horseback_riding: 53
kayaking: 55
martial_arts: 56
mountain_biking: 57
powerlifting: 59
rock_climbing: 60
stand_up_paddling: 61
triathlon: 62
walking: 63 93 254 255
surfing: 64
elliptical: 65
stair_climbing: 66 83 261
meditation: 70
diving: 73
ultimate: 82
jump_rope: 84
australian_football: 85
skateboarding: 86
commuting: 89
esports: 90
snowboarding: 91
motocross: 92
obstacle_course_racing: 94
car_racing: 95
hiit: 96
indoor_cycling: 97 126
jiu_jitsu: 98
manual_labor: 99
cricket: 100
pickleball: 101
inline_skating: 102
fitness_boxing: 103
roundnet: 104
wheelchair: 105
racket_sports: 106
barre: 107 258
parkour: 110
gaelic_football: 111
hurling: 112
strength_training: 123
kickboxing: 127
stretching: 128
table_tennis: 230
badminton: 231
netball: 232
disc_golf: 234
gardening: 235
paintball: 238
ice_skating: 239
handball: 240
padel: 249
stroller_walking: 252
stroller_running: 253
polo: 262
kitesurfing: 264
dog_walking: 266
water_skiing: 267
wakeboarding: 268
cooking: 269
cleaning: 270
recovery: 88 121 233 236 237
other: -1 71 74 75 76 77 87 108 109 113 125 251 263 272
`);

interface WhoopSport {
  sport_name?: string | null | undefined;
  sport_id?: number | null | undefined;
}

export const whoopWorkoutType = ({ sport_name, sport_id }: WhoopSport): WorkoutType =>
  sport_name ? lookUpTypeByName(sport_name) : lookUpTypeById(sport_id);
