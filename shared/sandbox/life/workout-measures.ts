// What a good device reports about a workout in addition to its times and totals: strain, weather
// and the pool.
import type { WorkoutMeasures } from '../../catalog/workout-measures.ts';
import type { Sport } from './habits.ts';
import { createSeededRandom } from './seeded-random.ts';
import { dayNumber, type SimulatedUser } from './simulated-user.ts';

const poolMetres = 25;
const yearDays = 365.25;
const warmestDay = 200;
/** The maximum of WHOOP's scale. */
const maxStrain = 21;

interface WorkoutBasics {
  sport: Sport;
  minutes: number;
  /** The share of the heart rate reserve that is used. */
  effort: number;
  distanceKm: number;
}

/** Empty if the user's devices measure little. */
export function simulateMeasures(
  user: SimulatedUser,
  date: string,
  workout: WorkoutBasics,
  mets: number,
): WorkoutMeasures {
  if (user.habits.hasGaps) return {};
  const { sport, minutes, effort, distanceKm } = workout;
  const random = createSeededRandom(user.lifeSeed, 'measures', date);
  return {
    strain: roundToTenth(maxStrain * (1 - Math.exp((-effort * effort * minutes) / 40))),
    avgMets: roundToTenth(mets),
    ...(sport === 'swimming'
      ? {
          swimmingStrokeCount: Math.round((distanceKm * 1000 * random.uniform(17, 22)) / poolMetres),
          swimmingLapLengthM: poolMetres,
        }
      : {
          weatherTemperatureC: roundToTenth(random.normal(11 + 9 * seasonFactor(date), 2.5)),
          weatherHumidityPct: Math.round(random.uniform(42, 88)),
        }),
  };
}

/** From -1 in the middle of winter to 1 on the warmest day. */
const seasonFactor = (date: string): number => Math.cos((2 * Math.PI * (dayNumber(date) - warmestDay)) / yearDays);

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
