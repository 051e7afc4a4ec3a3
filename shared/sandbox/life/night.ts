// A person's sleep that ends on a date: when, how long in which stage; and the nap, if there is one.
import { addDays } from '../../platform/time/local-day.ts';
import { dayOfCycle, type SandboxPerson, sleepsByDay } from './persona.ts';
import { diceFor } from './random.ts';
import { illnessOn } from './story.ts';
import { windowOf, zoneOn } from './whereabouts.ts';

export interface Sleep {
  startMs: number;
  endMs: number;
  asleepMinutes: number;
  awakeMinutes: number;
  deepMinutes: number;
  remMinutes: number;
  lightMinutes: number;
  latencyMinutes: number;
  /** How far the time asleep is from what the person needs, in hours. */
  surplusHours: number;
}

const minuteMs = 60_000;
const dayShiftBedMinute = 8 * 60 + 20;

/** Deep sleep grows with the strain of the day before, in standard deviations. */
export function nightOf(person: SandboxPerson, date: string, strainBefore: number): Sleep {
  const dice = diceFor(person.userId, 'night', date);
  const { startMs: midnightMs } = windowOf(person, date);
  const byDay = sleepsByDay(person, date);
  const jetLagged = zoneOn(person, date) !== zoneOn(person, addDays(date, -1));
  const illness = illnessOn(person, date);
  const hardship = (byDay ? 45 : 0) + (jetLagged ? 70 : 0) + 75 * illness;
  const bedMinute = Math.round(
    byDay ? dice.around(dayShiftBedMinute, 15) : dice.around(-person.bedBeforeMidnight, jetLagged ? 12 : 22),
  );
  const asleepMinutes = Math.round(
    Math.min(longestMinutes(person), Math.max(230, dice.around(person.asleepMinutes - hardship, 38))),
  );
  const efficiency =
    dice.between(...person.habits.efficiency) - (byDay ? 0.04 : 0) - (jetLagged ? 0.05 : 0) - 0.08 * illness;
  const inBedMinutes = Math.round(asleepMinutes / efficiency);
  const awakeMinutes = inBedMinutes - asleepMinutes;
  const stages = stagesOf(
    asleepMinutes,
    Math.max(0.08, dice.around(person.habits.deepShare, 0.02) + 0.012 * strainBefore),
    dice.around(person.habits.remShare, 0.02),
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
      Math.round(dice.between(...person.habits.latencyMinutes) + (jetLagged ? 12 : 0) + 14 * illness),
    ),
    surplusHours: (asleepMinutes - person.asleepMinutes) / 60,
  };
}

/** Children sleep longer than anybody else ever does. */
const longestMinutes = ({ asleepMinutes }: SandboxPerson): number => Math.max(600, asleepMinutes + 75);

/** In the early afternoon, and always before the first of several night shifts. */
export function napOf(person: SandboxPerson, date: string): Sleep | undefined {
  const dice = diceFor(person.userId, 'nap', date);
  const beforeFirstShift = person.habits.nightShifts && dayOfCycle(person, date, 6) === 2;
  const napping = beforeFirstShift || (dice.chance(person.habits.napChance) && !sleepsByDay(person, date));
  if (!napping) return undefined;
  const minutes = Math.round(beforeFirstShift ? dice.between(70, 95) : dice.between(20, 45));
  const latencyMinutes = Math.round(dice.between(3, 7));
  const startMs = windowOf(person, date).startMs + Math.round(dice.between(14, 15) * 60) * minuteMs;
  return {
    startMs,
    endMs: startMs + minutes * minuteMs,
    asleepMinutes: minutes - latencyMinutes,
    awakeMinutes: latencyMinutes,
    ...stagesOf(minutes - latencyMinutes, 0.1, 0.05),
    latencyMinutes,
    surplusHours: 0,
  };
}

function stagesOf(asleepMinutes: number, deepShare: number, remShare: number) {
  const deepMinutes = Math.round(asleepMinutes * deepShare);
  const remMinutes = Math.round(asleepMinutes * remShare);
  return { deepMinutes, remMinutes, lightMinutes: asleepMinutes - deepMinutes - remMinutes };
}
