// Everything that is true of a person's date, before any device looks at it. It depends on the date before and the date after, no further.
import { addDays } from '../../platform/time/local-day.ts';
import { napOf, nightOf, type Sleep } from './night.ts';
import { dayNumber, type SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';
import { illnessOn } from './story.ts';
import { windowOf } from './whereabouts.ts';
import { intentionOn, type PlannedWorkout, workoutIn } from './workout.ts';

export interface DayPlan {
  date: string;
  startMs: number;
  endMs: number;
  /** When the following night begins, or the date ends. */
  bedMs: number;
  /** The sleep that ended on this date. */
  night: Sleep;
  /** Every sleep that touches this date, the following night's beginning included. */
  sleeps: Sleep[];
  workouts: PlannedWorkout[];
  /** Outside of workouts. */
  steps: number;
  /** Of the morning: what the day before and the night have left. */
  condition: Condition;
  /** Of the morning of the following night, which has begun before this date ends. */
  nextCondition: Condition;
  weightKg: number;
}

export interface Condition {
  restingBpm: number;
  rmssdMs: number;
  breathsPerMinute: number;
  skinCelsius: number;
  oxygenPct: number;
}

export function planDay(person: SandboxPerson, date: string): DayPlan {
  const next = addDays(date, 1);
  const { startMs, endMs } = windowOf(person, date);
  const night = nightOf(person, date, strainOn(person, addDays(date, -1)));
  const nextNight = nightOf(person, next, strainOn(person, date));
  const nap = napOf(person, date);
  const bedMs = Math.min(endMs, nextNight.startMs);
  const awakeFromMs = Math.max(night.endMs, startMs);
  const napFits = nap && nap.startMs > awakeFromMs + hourMs && nap.endMs < bedMs - 3 * hourMs ? nap : undefined;
  const awake = { fromMs: napFits?.endMs ?? awakeFromMs, toMs: bedMs, midnightMs: startMs };
  const workout = workoutIn(person, date, intentionOn(person, date), awake);
  const sleeps = [night, napFits, nextNight].filter((sleep) => sleep !== undefined);
  return {
    date,
    startMs,
    endMs,
    bedMs,
    night,
    sleeps: sleeps.filter((sleep) => sleep.startMs < endMs),
    workouts: workout ? [workout] : [],
    steps: stepsOn(person, date),
    condition: conditionOn(person, date, night),
    nextCondition: conditionOn(person, next, nextNight),
    weightKg: weightOn(person, date),
  };
}

const hourMs = 3_600_000;

function stepsOn(person: SandboxPerson, date: string): number {
  const well = diceFor(person.userId, 'steps', date).around(person.steps, person.steps * 0.22);
  return Math.round(Math.max(900, well * (1 - 0.75 * illnessOn(person, date))));
}

/** How much harder a date is than usual, in standard deviations, by what is meant to be done on it. */
function strainOn(person: SandboxPerson, date: string): number {
  const { workoutChance, workoutMinutes } = person.habits;
  const intention = intentionOn(person, date);
  const load = (intention ? intention.minutes * intention.effort : 0) + stepsOn(person, date) / 400;
  const often = Math.max(workoutChance, 0.5);
  const usual = often * ((workoutMinutes[0] + workoutMinutes[1]) / 2) * 0.6 + person.steps / 400;
  return Math.min(2.2, Math.max(-2.2, (load - usual) / (0.28 * workoutMinutes[1])));
}

function conditionOn(person: SandboxPerson, date: string, night: Sleep): Condition {
  const dice = diceFor(person.userId, 'condition', date);
  const illness = illnessOn(person, date);
  // A day in bed is no rest for whoever has to be there.
  const strain = strainOn(person, addDays(date, -1)) * (1 - illness);
  const rest = Math.min(1.5, Math.max(-2, night.surplusHours));
  return {
    restingBpm: person.restingBpm + 1.6 * strain - 1.1 * rest + dice.around(0, 0.7) + 9 * illness,
    rmssdMs: person.rmssdMs * Math.exp(-0.11 * strain + 0.07 * rest + dice.around(0, 0.06) - 0.45 * illness),
    breathsPerMinute: person.breathsPerMinute + 0.2 * strain + dice.around(0, 0.25) + 2.5 * illness,
    skinCelsius: person.skinCelsius + 0.08 * strain + dice.around(0, 0.15) + 0.9 * illness,
    oxygenPct: dice.between(95.6, 98.4) - illness,
  };
}

/** A slow wave of a season, and a little water from day to day. */
function weightOn(person: SandboxPerson, date: string): number {
  const season = Math.sin((2 * Math.PI * (dayNumber(date) + person.phase)) / 97);
  return person.weightKg + 1.1 * season + diceFor(person.userId, 'weight', date).around(0, 0.1);
}
