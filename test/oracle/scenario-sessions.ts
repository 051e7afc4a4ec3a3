// Nights, naps, stages and workouts of a scenario, as several devices report them.

import { randomFrom } from './random.ts';
import { stageMetrics } from './rules.ts';
import {
  type MinuteField,
  minuteFields,
  stageNames,
  type WireNight,
  type WireSample,
  type WireStage,
  type WireWorkout,
} from './scenario.ts';
import { makeSample } from './scenario-samples.ts';
import { type Gadget, hourMs, instantAtHour, pickTimestampFormat, type ScenarioSetting } from './scenario-setting.ts';
import { makeValue } from './scenario-values.ts';
import { workoutTypeByName } from './workout-type-names.ts';
import type { Span } from './zone-clock.ts';

/** When the user really slept. The devices report it with differences. */
export const makeSleeps = (setting: ScenarioSetting): Span[] =>
  setting.dates.flatMap((date) => {
    const { random } = setting;
    const bed = instantAtHour(setting, date, random.between(-3.5, 1.5));
    const night = { from: bed, to: bed + roundToSeconds(random.between(3.2, 9) * hourMs) };
    const rest = instantAtHour(setting, date, random.pick([13, 15, 21.5, 22.8]) + random.between(0, 1));
    const nap = { from: rest, to: rest + roundToSeconds(random.between(0.3, 1.5) * hourMs) };
    return [...(random.chance(0.8) ? [night] : []), ...(random.chance(0.35) ? [nap] : [])];
  });

export function makeNight({ random }: ScenarioSetting, gadget: Gadget, sleep: Span): WireNight {
  const blur = (): number => (random.chance(0.3) ? 0 : roundToSeconds(random.between(-0.4, 0.4) * hourMs));
  const from = sleep.from + blur();
  const to = Math.max(from + 600_000, sleep.to + blur());
  return writeNight(gadget, random, from, to, makeMinutes(random, (to - from) / 60_000));
}

export function writeNight(
  gadget: Gadget,
  random: ScenarioSetting['random'],
  from: number,
  to: number,
  minutes: Partial<Record<MinuteField, number>>,
): WireNight {
  const ends = pickTimestampFormat(random, gadget, to);
  const starts = random.chance(0.15) ? pickTimestampFormat(random, gadget, from) : ends;
  const offset = ends.utc_offset === undefined ? {} : { utc_offset: ends.utc_offset };
  const stages = makeStagePeriods(from, to, ends.write);
  return { start: starts.write(from), end: ends.write(to), ...offset, ...minutes, ...stages };
}

/**
 * Drawn from the night's own times, so that nothing else in a scenario depends on it. Half of the
 * nights have stages, with gaps, in any order.
 */
function makeStagePeriods(from: number, to: number, write: (ms: number) => string): Pick<WireNight, 'stages'> {
  const random = randomFrom(from / 1000 + to / 1000);
  if (random.chance(0.5)) return {};
  const stages: WireStage[] = [];
  let at = from;
  for (let count = random.int(1, 30); count > 0 && at < to; count--) {
    const start = random.chance(0.2) ? at + 1000 * random.int(0, 1800) : at;
    const end = Math.min(to, start + 1000 * random.int(1, 3600));
    if (start < end) stages.push({ stage: random.pick(stageNames), start: write(start), end: write(end) });
    at = end;
  }
  return stages.length === 0 ? {} : { stages: random.shuffled(stages) };
}

export function makeMinutes(random: ScenarioSetting['random'], length: number): Partial<Record<MinuteField, number>> {
  const exact = (minutes: number): number => Number(minutes.toFixed(random.pick([0, 0, 1, 1, 2, 4])));
  const inBed = length * random.between(0.95, 1);
  const asleep = inBed * random.between(0.7, 0.97);
  const shares: Record<MinuteField, number> = {
    in_bed_minutes: inBed,
    asleep_minutes: asleep,
    awake_minutes: inBed - asleep,
    deep_minutes: asleep * 0.2,
    rem_minutes: asleep * random.between(0.1, 0.3),
    light_minutes: asleep * 0.5,
  };
  const reported: Partial<Record<MinuteField, number>> = {};
  const silence = random.pick([0, 0.2, 0.6]);
  for (const field of minuteFields)
    if (!random.chance(silence))
      reported[field] = random.chance(0.15) ? Math.floor(shares[field]) + 0.5 : exact(shares[field]);
  return random.chance(0.15) ? { ...reported, ...oddEfficiency(random, length) } : reported;
}

/** More sleep than time in bed, or an efficiency between two tenths of a percent. */
function oddEfficiency(random: ScenarioSetting['random'], length: number): Partial<Record<MinuteField, number>> {
  const inBed = random.pick([8, 80, 200, 400].filter((minutes) => minutes < length - 1));
  const asleep = random.chance(0.4)
    ? inBed + random.pick([0.1, 1])
    : Number(((inBed * (2 * random.int(600, 998) + 1)) / 2000).toFixed(4));
  return { asleep_minutes: asleep, in_bed_minutes: inBed };
}

/** Within a sleep, across its boundaries, or nowhere near one. */
export function makeStages(setting: ScenarioSetting, gadget: Gadget, sleep: Span): WireSample[] {
  const { random } = setting;
  const metrics = random.shuffled(stageMetrics).slice(0, random.int(1, 4));
  return Array.from({ length: random.int(1, 8) }, () => {
    const metric = random.pick(metrics);
    const early = random.chance(0.1) ? -6 * hourMs : 0;
    const from = roundToSeconds(random.between(sleep.from - 0.3 * hourMs, sleep.to)) + early;
    const to = random.chance(0.1) ? from : from + roundToSeconds(random.between(0.05, 1.5) * hourMs);
    const lasting = { value: Number(((to - from) / 60_000).toFixed(2)), unit: 'min' };
    const plain = metric !== 'sleep_efficiency' && to > from && random.chance(0.6);
    return makeSample(setting, gadget, metric, { from, to }, plain ? lasting : makeValue(random, metric));
  });
}

/** When the user really trained. */
export const makeTrainings = (setting: ScenarioSetting): Span[] =>
  setting.dates
    .filter(() => setting.random.chance(0.6))
    .map((date) => {
      const { random } = setting;
      const from = instantAtHour(setting, date, random.pick([6, 12, 18, 23.2]) + random.between(0, 1));
      const minutes = random.pick([random.between(5, 60), 60, random.between(60, 180), 180, random.between(180, 240)]);
      return { from, to: from + roundToSeconds(minutes * 60_000) };
    });

export function makeWorkout({ random }: ScenarioSetting, gadget: Gadget, training: Span): WireWorkout {
  const blur = (): number => (random.chance(0.4) ? 0 : roundToSeconds(random.between(-0.1, 0.1) * hourMs));
  const from = training.from + blur();
  const to = Math.max(from + 120_000, training.to + blur());
  const { write, utc_offset } = pickTimestampFormat(random, gadget, from);
  return {
    type: random.pick([...workoutTypeByName.keys()]),
    ...(random.chance(0.5) ? { name: 'Out and about' } : {}),
    start: write(from),
    end: write(to),
    ...(utc_offset === undefined ? {} : { utc_offset }),
    ...makeWorkoutNumbers(random),
    ...(random.chance(0.6) ? { heart_rate: makeTrace(random, from, to, write) } : {}),
  };
}

export function makeWorkoutNumbers(random: ScenarioSetting['random']): Partial<WireWorkout> {
  const number = (low: number, high: number, decimals: number): number | undefined =>
    random.chance(0.3) ? undefined : Number(random.between(low, high).toFixed(random.int(0, decimals)));
  const reported = {
    calories: number(20, 900, 2),
    distance_km: number(0.5, 30, 4),
    avg_heart_rate: number(90, 160, 2),
    max_heart_rate: number(160, 190, 1),
    elevation_meters: number(0, 500, 3),
    steps: number(100, 9000, 0),
  };
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined));
}

function makeTrace(random: ScenarioSetting['random'], from: number, to: number, write: (ms: number) => string) {
  const step = random.pick([5, 7, 13, 20, 31]) * 1000;
  const start = from + random.int(0, Math.floor((to - from) / 2000)) * 1000;
  return Array.from({ length: random.int(1, 40) }, (_none, at) => start + at * step)
    .filter((at) => at < to)
    .map((at) => ({ timestamp: write(at), bpm: Number(random.between(80, 180).toFixed(random.pick([0, 0, 1, 2]))) }));
}

const roundToSeconds = (ms: number): number => Math.round(ms / 1000) * 1000;
