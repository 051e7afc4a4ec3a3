// Oura's activities. Oura publishes no list: these are the activities that its app offers, and
// those that it imports from phones.
import { createNameLookup } from '../kit/workout-type-lookup.ts';

export const ouraWorkoutType = createNameLookup(`
indoor_running: treadmill treadmill_running
walking: walk
running: run jogging
swimming: swim pool_swimming
cycling: biking
indoor_cycling: spinning stationary_bike
hiit: high_intensity_interval_training
core_training: core_exercise
elliptical: elliptical_training
stair_climbing: stairmaster stairs stair_exercise
cross_training: cross_trainer
fitness_gaming: exergaming
jump_rope: jumping_rope
dancing: dance
fitness_dancing: zumba
downhill_skiing: skiing alpine_skiing
stand_up_paddling: paddleboarding
group_exercise: group_fitness exercise_class
stretching: flexibility
chores: housework
gardening: yardwork
playing: playing_with_children
horseback_riding: horse_riding equestrian_sports
recovery: rest
other: activity workout other_workout
`);
