// Ultrahuman's main sleep of a day, in its older and newer format, with the values that the day
// reports for it.
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import {
  type NightStage,
  type NightValue,
  type OptionalNumber,
  type RecordBuilder,
  secondsToMinutes,
  zeroToNull,
} from '../kit/record-builder.ts';
import type { UltrahumanDay } from './days.ts';
import type { UltrahumanSleep } from './items.ts';

export interface UltrahumanNight {
  day: UltrahumanDay;
  sleep: UltrahumanSleep;
  startMs: number;
  /** When the user woke up. */
  endMs: number;
  /** How long the user lay awake after that. */
  awakeInBedMinutes: number;
}

/** If two days report the same night, it counts once, as the later day reports it. */
export function readUltrahumanNights(days: readonly UltrahumanDay[]): UltrahumanNight[] {
  const nights: UltrahumanNight[] = [];
  for (const day of days) {
    const night = readUltrahumanNight(day);
    if (!night) continue;
    const overlappingIndex = nights.findIndex(({ startMs, endMs }) => startMs < night.endMs && night.startMs < endMs);
    if (overlappingIndex >= 0) nights.splice(overlappingIndex, 1);
    nights.push(night);
  }
  return nights;
}

/** Undefined if the day has no sleep, or a sleep without times. */
export function readUltrahumanNight(day: UltrahumanDay): UltrahumanNight | undefined {
  const { sleep } = day;
  const { bedtime_start: start, bedtime_end: end } = sleep ?? {};
  if (!sleep || !start || !end) return undefined;
  const [startMs, outOfBedMs] = [start * 1000, end * 1000];
  const endMs = findWakeMs(sleep, startMs, outOfBedMs);
  return { day, sleep, startMs, endMs, awakeInBedMinutes: (outOfBedMs - endMs) / 60_000 };
}

/**
 * Bedtime continues while the user lies awake in the morning, so the last period awake is not part
 * of the sleep.
 */
function findWakeMs(sleep: UltrahumanSleep, startMs: number, endMs: number): number {
  const last = sleep.sleep_graph?.data.toSorted((a, b) => a.start - b.start).at(-1);
  if (last?.type !== 'awake' || last.end * 1000 < endMs) return endMs;
  const wokeAt = last.start * 1000;
  return wokeAt > startMs ? wokeAt : endMs;
}

export function addUltrahumanNight(builder: RecordBuilder, night: UltrahumanNight): void {
  const { day, sleep, startMs, endMs, awakeInBedMinutes } = night;
  const path = `metrics.${day.date}.sleep`;
  const stage = (type: string): OptionalNumber => sleep.sleep_stages?.find((each) => each.type === type)?.stage_time;
  const quick = quickMetricReader(sleep);
  const deep = secondsToMinutes(stage('deep_sleep')) ?? sleep.deep_sleep?.minutes ?? null;
  const light = secondsToMinutes(stage('light_sleep')) ?? sleep.light_sleep?.minutes ?? null;
  const rem = secondsToMinutes(stage('rem_sleep')) ?? sleep.rem_sleep?.minutes ?? null;
  const asleep = deep === null || light === null || rem === null ? null : zeroToNull(deep + light + rem);
  // If no stage was measured, all of them are zero.
  const stageOrNull = (minutes: number | null): number | null => (asleep === null ? zeroToNull(minutes) : minutes);
  const withoutMorningAwake = (value: number | null): number | null =>
    value === null ? null : Math.max(0, value - awakeInBedMinutes);
  builder.addSleep(path, {
    startMs,
    endMs,
    offsetMinutes: day.offsetAt(endMs),
    asleepMinutes: asleep ?? secondsToMinutes(quick('total_sleep')) ?? zeroToNull(sleep.total_sleep?.minutes),
    deepMinutes: stageOrNull(deep),
    lightMinutes: stageOrNull(light),
    remMinutes: stageOrNull(rem),
    awakeMinutes: withoutMorningAwake(stageOrNull(secondsToMinutes(stage('awake')))),
    inBedMinutes: withoutMorningAwake(secondsToMinutes(quick('time_in_bed')) ?? zeroToNull(sleep.time_in_bed?.minutes)),
    summary: [...summaryOfSleep(path, sleep), ...summaryOfNight(day)],
    stages: readStages(path, night),
  });
}

const stageByType: ReadonlyMap<string, SleepStage> = new Map([
  ['awake', 'awake'],
  ['light_sleep', 'light'],
  ['deep_sleep', 'deep'],
  ['rem_sleep', 'rem'],
]);

/** The time awake after waking up is not part of the night. */
const readStages = (path: string, { sleep, endMs }: UltrahumanNight): NightStage[] =>
  (sleep.sleep_graph?.data ?? []).flatMap(({ start, end, type }, at) =>
    type === 'awake' && start * 1000 >= endMs
      ? []
      : [
          {
            path: `${path}.sleep_graph.data.${at}`,
            stage: stageByType.get(type) ?? 'unknown',
            startMs: start * 1000,
            endMs: end * 1000,
          },
        ],
  );

const quickMetricReader =
  ({ quick_metrics }: UltrahumanSleep) =>
  (type: string): number | null =>
    zeroToNull(quick_metrics?.find((each) => each.type === type)?.value);

function summaryOfSleep(path: string, sleep: UltrahumanSleep): NightValue[] {
  const quick = quickMetricReader(sleep);
  const efficiency = quick('sleep_efic') ?? zeroToNull(sleep.sleep_efficiency?.percentage);
  return [
    { path: `${path}.avg_hr`, metric: 'sleep_heart_rate', value: quick('avg_hr') },
    { path: `${path}.sleep_efic`, metric: 'sleep_efficiency', value: efficiency },
    { path: `${path}.spo2`, metric: 'sleep_blood_oxygen', value: zeroToNull(sleep.spo2?.value) },
  ];
}

/** The values that the day reports for its sleep. Without a sleep they are values of the day. */
export function summaryOfNight({ date, objects, sleep }: UltrahumanDay): NightValue[] {
  const variability = zeroToNull(objects.avg_sleep_hrv?.value) ?? (sleep ? quickMetricReader(sleep)('avg_hrv') : null);
  const temperature =
    zeroToNull(objects.average_body_temperature?.value) ?? zeroToNull(sleep?.average_body_temperature?.celsius);
  const resting = zeroToNull(objects.sleep_rhr?.value) ?? zeroToNull(objects.night_rhr?.avg);
  return [
    { path: `metrics.${date}.sleep_rhr`, metric: 'resting_heart_rate', value: resting },
    { path: `metrics.${date}.avg_sleep_hrv`, metric: 'sleep_heart_rate_variability', value: variability },
    { path: `metrics.${date}.average_body_temperature`, metric: 'sleep_skin_temperature', value: temperature },
  ];
}
