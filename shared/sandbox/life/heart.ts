// What the heart does: every five minutes of a date, every fifteen seconds of a workout, and its variability asleep.
import type { Quarter } from './activity.ts';
import { quarterMs } from './activity.ts';
import type { Condition, DayPlan } from './day-plan.ts';
import type { Sleep } from './night.ts';
import type { SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';
import type { PlannedWorkout } from './workout.ts';

export interface Beat {
  ms: number;
  bpm: number;
}

export const beatMs = 300_000;
const traceMs = 15_000;

export function beatsOf(person: SandboxPerson, plan: DayPlan, quarters: readonly Quarter[]): Beat[] {
  const beats: Beat[] = [];
  for (let ms = plan.startMs; ms < plan.endMs; ms += beatMs) {
    const sleep = plan.sleeps.find((each) => ms >= each.startMs && ms < each.endMs);
    const workout = plan.workouts.find((each) => ms >= each.startMs && ms < each.endMs);
    if (sleep) beats.push({ ms, bpm: asleepBpm(person, sleep, conditionDuring(plan, sleep), ms) });
    else if (workout) beats.push({ ms, bpm: workoutBpm(person, plan, workout, ms) });
    else {
      const steps = quarters[Math.floor((ms - plan.startMs) / quarterMs)]?.steps ?? 0;
      const noise = diceFor(person.userId, 'beat', ms).around(0, 3);
      beats.push({ ms, bpm: whole(plan.condition.restingBpm + 13 + Math.min(45, 0.035 * steps) + noise, person) });
    }
  }
  return beats;
}

/** The night of a date from its beginning, which may lie before the date. */
export function nightBeats(person: SandboxPerson, { night, condition }: DayPlan): Beat[] {
  const first = Math.ceil(night.startMs / beatMs) * beatMs;
  return Array.from({ length: Math.ceil((night.endMs - first) / beatMs) }, (_none, at) => {
    const ms = first + at * beatMs;
    return { ms, bpm: asleepBpm(person, night, condition, ms) };
  });
}

const conditionDuring = (plan: DayPlan, sleep: Sleep): Condition =>
  sleep.endMs > plan.endMs ? plan.nextCondition : plan.condition;

/** It sinks through the night towards its lowest before waking. */
function asleepBpm(person: SandboxPerson, sleep: Sleep, { restingBpm }: Condition, ms: number): number {
  const through = (ms - sleep.startMs) / (sleep.endMs - sleep.startMs);
  const noise = diceFor(person.userId, 'beat', ms).around(0, 1.3);
  return whole(restingBpm + 6 * (1 - through) ** 2 + Math.sin(12 * through) + noise, person);
}

export function traceOf(person: SandboxPerson, plan: DayPlan, workout: PlannedWorkout): Beat[] {
  return Array.from({ length: (workout.endMs - workout.startMs) / traceMs }, (_none, at) => {
    const ms = workout.startMs + at * traceMs;
    return { ms, bpm: workoutBpm(person, plan, workout, ms) };
  });
}

/** It climbs while warming up, drifts on, and sinks while slowing down. */
function workoutBpm(person: SandboxPerson, plan: DayPlan, workout: PlannedWorkout, ms: number): number {
  const through = (ms - workout.startMs) / (workout.endMs - workout.startMs);
  const shape = Math.min(1, 0.55 + through * 4) * Math.min(1, 0.7 + (1 - through) * 4) + 0.08 * through;
  const { restingBpm } = plan.condition;
  const wave = 0.02 * Math.sin(through * 40);
  const noise = diceFor(person.userId, 'trace', ms).around(0, 1.2);
  return whole(restingBpm + (person.maxBpm - restingBpm) * workout.effort * (shape + wave) + noise, person);
}

const whole = (bpm: number, person: SandboxPerson): number => Math.round(Math.min(person.maxBpm, Math.max(32, bpm)));

export interface Reading {
  ms: number;
  value: number;
}

/** RMSSD in milliseconds through a sleep, every fifteen minutes: it recovers towards the morning. */
export function variabilityDuring(person: SandboxPerson, sleep: Sleep, { rmssdMs }: Condition): Reading[] {
  return readings(sleep, quarterMs, (ms, through) => {
    const noise = diceFor(person.userId, 'rmssd', ms).around(1, 0.08);
    return oneDecimal(Math.max(6, rmssdMs * (0.92 + 0.16 * through) * noise));
  });
}

/** Blood oxygen in percent through a sleep, every half hour. */
export function oxygenDuring(person: SandboxPerson, sleep: Sleep, { oxygenPct }: Condition): Reading[] {
  return readings(sleep, 2 * quarterMs, (ms) =>
    oneDecimal(Math.min(100, diceFor(person.userId, 'oxygen', ms).around(oxygenPct, 0.5))),
  );
}

function readings(sleep: Sleep, stepMs: number, valueAt: (ms: number, through: number) => number): Reading[] {
  const first = Math.ceil(sleep.startMs / stepMs) * stepMs;
  return Array.from({ length: Math.max(0, Math.ceil((sleep.endMs - first) / stepMs)) }, (_none, at) => {
    const ms = first + at * stepMs;
    return { ms, value: valueAt(ms, (ms - sleep.startMs) / (sleep.endMs - sleep.startMs)) };
  });
}

export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** How stressed the body is from 1 to 100, every quarter of an hour awake: by how much faster than at ease the heart beats. Nothing is told of a workout. */
export function stressDuring(person: SandboxPerson, plan: DayPlan, beats: readonly Beat[]): Reading[] {
  const busy = [...plan.sleeps, ...plan.workouts];
  const unease = plan.condition.restingBpm - person.restingBpm;
  return beats.flatMap(({ ms, bpm }) => {
    if (ms % quarterMs !== 0 || busy.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)) return [];
    const faster = bpm - plan.condition.restingBpm - 13;
    const level = diceFor(person.userId, 'stress', ms).around(28 + 1.2 * faster + 2 * unease, 6);
    return [{ ms, value: Math.min(100, Math.max(1, Math.round(level))) }];
  });
}
