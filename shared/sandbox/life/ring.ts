// What the ring says of a date: sleep, the heart, workouts, and its own idea of how active the date was.
import { meanOf } from '../../platform/arithmetic.ts';
import { timestamp } from '../../platform/time/time.ts';
import type { Quarter } from './activity.ts';
import type { DayPlan } from './day-plan.ts';
import {
  type Beat,
  beatMs,
  beatsOf,
  nightBeats,
  oneDecimal,
  oxygenDuring,
  stressDuring,
  traceOf,
  variabilityDuring,
} from './heart.ts';
import type { Sleep } from './night.ts';
import { isMissing, ringIsOff, type SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';
import {
  type DeviceRecords,
  measuresAsUploaded,
  nothing,
  placed,
  sampleOf,
  type UploadedDaily,
  type UploadedSample,
  type UploadedSleep,
  type UploadedWorkout,
} from './records.ts';
import { wearsWatch } from './story.ts';
import type { PlannedWorkout } from './workout.ts';

/** Only what is over by `untilMs`. */
export function ringRecords(
  person: SandboxPerson,
  plan: DayPlan,
  quarters: readonly Quarter[],
  untilMs: number,
): DeviceRecords {
  if (isMissing(person, plan.date) || ringIsOff(person, plan.date) || wearsWatch(person, plan.date)) return nothing;
  return wornRecords(person, plan, quarters, untilMs);
}

/** What any device says that is worn day and night. */
export function wornRecords(
  person: SandboxPerson,
  plan: DayPlan,
  quarters: readonly Quarter[],
  untilMs: number,
): DeviceRecords {
  const beats = beatsOf(person, plan, quarters).filter(({ ms }) => ms + beatMs <= untilMs);
  const sleeps = plan.sleeps.filter(({ endMs }) => endMs <= plan.endMs && endMs <= untilMs);
  const workouts = plan.workouts.filter(({ endMs }) => endMs <= untilMs);
  const over = quarters.filter(({ endMs }) => endMs <= untilMs);
  return {
    samples: [
      ...beats.map(({ ms, bpm }) => sampleOf(person, plan.date, 'heart_rate', 'bpm', { startMs: ms, value: bpm })),
      ...asleepSamples(person, plan, sleeps),
      ...stressDuring(person, plan, beats).map(({ ms, value }) =>
        sampleOf(person, plan.date, 'stress_score', 'score', { startMs: ms, value }),
      ),
    ],
    daily: [
      ...(plan.night.endMs <= untilMs ? ofTheNight(person, plan) : []),
      ...ofTheDay(person, plan, over, beats, workouts),
    ],
    sleep: sleeps.map((sleep) => sleepRecord(person, plan.date, sleep)),
    workouts: workouts.map((workout) => workoutRecord(person, plan, workout)),
  };
}

/** A ring reads them while asleep and tells when the sleep is over: half a night says nothing of the morning. */
function asleepSamples(person: SandboxPerson, plan: DayPlan, over: readonly Sleep[]): UploadedSample[] {
  const isHere = ({ ms }: { ms: number }) => ms >= plan.startMs && ms < plan.endMs;
  return over.flatMap((sleep) => {
    const oxygen = person.habits.gaps ? [] : oxygenDuring(person, sleep, plan.condition);
    return [
      ...variabilityDuring(person, sleep, plan.condition)
        .filter(isHere)
        .map(({ ms, value }) =>
          sampleOf(person, plan.date, 'heart_rate_variability_rmssd', 'ms', { startMs: ms, value }),
        ),
      ...oxygen
        .filter(isHere)
        .map(({ ms, value }) => sampleOf(person, plan.date, 'blood_oxygen', '%', { startMs: ms, value })),
    ];
  });
}

export const nightlyRmssd = (person: SandboxPerson, { night, condition }: DayPlan): number =>
  oneDecimal(meanOf(variabilityDuring(person, night, condition).map(({ value }) => value)));

/** Of the whole night, so they are stated: its samples before midnight stand on the date before. */
function ofTheNight(person: SandboxPerson, plan: DayPlan): UploadedDaily[] {
  const { night, condition } = plan;
  const say = (metric: string, value: number, unit: string): UploadedDaily => ({
    date: plan.date,
    metric,
    value,
    unit,
  });
  const rmssd = nightlyRmssd(person, plan);
  const oxygen = oneDecimal(meanOf(oxygenDuring(person, night, condition).map(({ value }) => value)));
  const breaths = oneDecimal(condition.breathsPerMinute);
  return [
    say('resting_heart_rate', oneDecimal(condition.restingBpm), 'bpm'),
    say('heart_rate_variability_rmssd', rmssd, 'ms'),
    say('sleep_heart_rate_variability', rmssd, 'ms'),
    say('sleep_heart_rate', oneDecimal(meanOf(nightBeats(person, plan).map(({ bpm }) => bpm))), 'bpm'),
    say('sleep_respiratory_rate', breaths, 'brpm'),
    say('respiratory_rate', breaths, 'brpm'),
    say('sleep_latency', night.latencyMinutes, 'min'),
    ...(person.habits.gaps
      ? []
      : [
          say('sleep_blood_oxygen', oxygen, '%'),
          say('blood_oxygen', oxygen, '%'),
          say('sleep_skin_temperature', oneDecimal(condition.skinCelsius), '°C'),
          say('skin_temperature', oneDecimal(condition.skinCelsius), '°C'),
          say('vo2_max', oneDecimal(person.vo2Max), 'mL/kg/min'),
        ]),
  ];
}

/** A finger counts a few steps less than a pocket. */
function ofTheDay(
  person: SandboxPerson,
  plan: DayPlan,
  over: readonly Quarter[],
  beats: readonly Beat[],
  workouts: readonly PlannedWorkout[],
): UploadedDaily[] {
  if (over.length === 0 || beats.length === 0) return [];
  const seen = diceFor(person.userId, 'ring', plan.date).between(0.92, 0.99);
  const total = (of: 'steps' | 'metres' | 'activeKcal' | 'restingKcal') =>
    over.reduce((sum, each) => sum + each[of], 0);
  const active = Math.round(total('activeKcal') * seen);
  const bpm = [...beats, ...workouts.flatMap((workout) => traceOf(person, plan, workout))].map((beat) => beat.bpm);
  const say = (metric: string, value: number, unit: string): UploadedDaily => ({
    date: plan.date,
    metric,
    value,
    unit,
  });
  const moved = total('steps') > 0;
  return [
    say('min_heart_rate', Math.min(...bpm), 'bpm'),
    say('max_heart_rate', Math.max(...bpm), 'bpm'),
    // Before somebody has got up there is nothing to count yet, which is not the same as none.
    ...(moved
      ? [
          say('steps', Math.round(total('steps') * seen), 'count'),
          say('distance', Math.round(total('metres') * seen) / 1000, 'km'),
          say('active_calories', active, 'kcal'),
        ]
      : []),
    say('resting_energy', total('restingKcal'), 'kcal'),
    say('total_calories', active + total('restingKcal'), 'kcal'),
  ];
}

const sleepRecord = (person: SandboxPerson, date: string, sleep: Sleep): UploadedSleep => ({
  start: timestamp(sleep.startMs),
  end: timestamp(sleep.endMs),
  ...placed(person, date, sleep.endMs),
  asleep_minutes: sleep.asleepMinutes,
  deep_minutes: sleep.deepMinutes,
  light_minutes: sleep.lightMinutes,
  rem_minutes: sleep.remMinutes,
  awake_minutes: sleep.awakeMinutes,
  in_bed_minutes: sleep.asleepMinutes + sleep.awakeMinutes,
});

function workoutRecord(person: SandboxPerson, plan: DayPlan, workout: PlannedWorkout): UploadedWorkout {
  const trace = traceOf(person, plan, workout);
  const bpm = trace.map((beat) => beat.bpm);
  return {
    type: workout.sport,
    name: workout.name,
    start: timestamp(workout.startMs),
    end: timestamp(workout.endMs),
    ...placed(person, plan.date, workout.startMs),
    calories: workout.kcal,
    distance_km: workout.distanceKm,
    avg_heart_rate: Math.round(meanOf(bpm)),
    max_heart_rate: Math.max(...bpm),
    ...(workout.elevationMetres === null ? {} : { elevation_meters: workout.elevationMetres }),
    ...(workout.steps === 0 ? {} : { steps: workout.steps }),
    ...measuresAsUploaded(workout.measures),
    heart_rate: trace.map((beat) => ({ timestamp: timestamp(beat.ms), bpm: beat.bpm })),
  };
}
