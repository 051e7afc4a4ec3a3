// What a good device tells of a workout beside its times and totals: how hard it was, the weather, the pool.
import type { WorkoutMeasures } from '../../catalog/workout-measures.ts';
import type { Sport } from './habits.ts';
import { dayNumber, type SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';

const poolMetres = 25;
const yearDays = 365.25;
const warmestDay = 200;
/** On WHOOP's scale, which ends there. */
const maxStrain = 21;

interface Exercise {
  sport: Sport;
  minutes: number;
  /** The share of the heart rate reserve that is used. */
  effort: number;
  distanceKm: number;
}

/** Nothing where the person's devices measure little. */
export function measuresOf(person: SandboxPerson, date: string, workout: Exercise, mets: number): WorkoutMeasures {
  if (person.habits.gaps) return {};
  const { sport, minutes, effort, distanceKm } = workout;
  const dice = diceFor(person.userId, 'measures', date);
  return {
    strain: oneDecimal(maxStrain * (1 - Math.exp((-effort * effort * minutes) / 40))),
    avgMets: oneDecimal(mets),
    ...(sport === 'swimming'
      ? {
          swimmingStrokeCount: Math.round((distanceKm * 1000 * dice.between(17, 22)) / poolMetres),
          swimmingLapLengthM: poolMetres,
        }
      : {
          weatherTemperatureC: oneDecimal(dice.around(11 + 9 * season(date), 2.5)),
          weatherHumidityPct: Math.round(dice.between(42, 88)),
        }),
  };
}

/** From -1 in the depth of winter to 1 on the warmest day. */
const season = (date: string): number => Math.cos((2 * Math.PI * (dayNumber(date) - warmestDay)) / yearDays);

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;
