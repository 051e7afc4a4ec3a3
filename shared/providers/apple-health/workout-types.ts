// The names of HKWorkoutActivityType.
import { createNameLookup } from '../kit/workout-type-lookup.ts';

export const appleWorkoutType = createNameLookup(`
fitness_dancing: cardioDance danceInspiredTraining
dancing: dance socialDance
recovery: cooldown preparationAndRecovery
horseback_riding: equestrianSports
stretching: flexibility
handcycling: handCycling
hiit: highIntensityIntervalTraining
cardio: mixedCardio mixedMetabolicCardioTraining
paddling: paddleSports
playing: play
skating: skatingSports
winter_sports: snowSports
stair_climbing: stairs
surfing: surfingSports
triathlon: swimBikeRun
athletics: trackAndField
strength_training: traditionalStrengthTraining
diving: underwaterDiving
aqua_fitness: waterFitness
wheelchair_walking: wheelchairWalkPace
wheelchair_running: wheelchairRunPace
`);
