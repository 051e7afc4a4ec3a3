// Plans the sleep that ends on a date with its times and stages, and the nap, if there is one.
import { addDays } from '../../platform/time/local-day.ts';
import { dateWindow, zoneOn } from './location.ts';
import { illnessOn } from './scenario.ts';
import { createSeededRandom } from './seeded-random.ts';
import { dayOfCycle, type SimulatedUser, sleepsDuringDay } from './simulated-user.ts';

export interface PlannedSleep {
  startMs: number;
  endMs: number;
  asleepMinutes: number;
  awakeMinutes: number;
  deepMinutes: number;
  remMinutes: number;
  lightMinutes: number;
  latencyMinutes: number;
  /** The difference between the time asleep and the user's need, in hours. */
  surplusHours: number;
}

const minuteMs = 60_000;
const dayShiftBedMinute = 8 * 60 + 20;

/** Deep sleep increases with the strain of the day before, which is in standard deviations. */
export function planNight(user: SimulatedUser, date: string, strainBefore: number): PlannedSleep {
  const random = createSeededRandom(user.lifeSeed, 'night', date);
  const { startMs: midnightMs } = dateWindow(user, date);
  const isDaySleep = sleepsDuringDay(user, date);
  const isJetLagged = zoneOn(user, date) !== zoneOn(user, addDays(date, -1));
  const illness = illnessOn(user, date);
  const lostMinutes = (isDaySleep ? 45 : 0) + (isJetLagged ? 70 : 0) + 75 * illness;
  const bedMinute = Math.round(
    isDaySleep
      ? random.normal(dayShiftBedMinute, 15)
      : random.normal(-user.minutesInBedBeforeMidnight, isJetLagged ? 12 : 22),
  );
  const asleepMinutes = Math.round(
    Math.min(maxSleepMinutes(user), Math.max(230, random.normal(user.asleepMinutes - lostMinutes, 38))),
  );
  const efficiency =
    random.uniform(...user.habits.efficiency) - (isDaySleep ? 0.04 : 0) - (isJetLagged ? 0.05 : 0) - 0.08 * illness;
  const inBedMinutes = Math.round(asleepMinutes / efficiency);
  const awakeMinutes = inBedMinutes - asleepMinutes;
  const stages = splitStages(
    asleepMinutes,
    Math.max(0.08, random.normal(user.habits.deepShare, 0.02) + 0.012 * strainBefore),
    random.normal(user.habits.remShare, 0.02),
  );
  const startMs = midnightMs + bedMinute * minuteMs;
  return {
    startMs,
    endMs: startMs + inBedMinutes * minuteMs,
    asleepMinutes,
    awakeMinutes,
    ...stages,
    latencyMinutes: Math.min(
      awakeMinutes,
      Math.round(random.uniform(...user.habits.latencyMinutes) + (isJetLagged ? 12 : 0) + 14 * illness),
    ),
    surplusHours: (asleepMinutes - user.asleepMinutes) / 60,
  };
}

/** Children may sleep longer than 10 hours, which is the limit for everyone else. */
const maxSleepMinutes = ({ asleepMinutes }: SimulatedUser): number => Math.max(600, asleepMinutes + 75);

/**
 * Naps are in the early afternoon, and there is always one before the first of several night
 * shifts.
 */
export function planNap(user: SimulatedUser, date: string): PlannedSleep | undefined {
  const random = createSeededRandom(user.lifeSeed, 'nap', date);
  const isBeforeFirstShift = user.habits.worksNightShifts && dayOfCycle(user, date, 6) === 2;
  const hasNap = isBeforeFirstShift || (random.chance(user.habits.napChance) && !sleepsDuringDay(user, date));
  if (!hasNap) return undefined;
  const minutes = Math.round(isBeforeFirstShift ? random.uniform(70, 95) : random.uniform(20, 45));
  const latencyMinutes = Math.round(random.uniform(3, 7));
  const startMs = dateWindow(user, date).startMs + Math.round(random.uniform(14, 15) * 60) * minuteMs;
  return {
    startMs,
    endMs: startMs + minutes * minuteMs,
    asleepMinutes: minutes - latencyMinutes,
    awakeMinutes: latencyMinutes,
    ...splitStages(minutes - latencyMinutes, 0.1, 0.05),
    latencyMinutes,
    surplusHours: 0,
  };
}

function splitStages(asleepMinutes: number, deepShare: number, remShare: number) {
  const deepMinutes = Math.round(asleepMinutes * deepShare);
  const remMinutes = Math.round(asleepMinutes * remShare);
  return { deepMinutes, remMinutes, lightMinutes: asleepMinutes - deepMinutes - remMinutes };
}
