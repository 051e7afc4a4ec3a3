// Ten people with a simulated year each.
import type { Random } from '../../oracle/random.ts';
import type { Habits, Shift, SimulatedPerson } from './simulated-days.ts';

const usual: Habits = {
  variability: 50,
  variabilitySpread: 0.1,
  rate: 58,
  rateSpread: 1.8,
  breaths: 14.8,
  asleepMinutes: 430,
  latencyMinutes: 12,
  restorative: 0.42,
  steps: 7500,
  training: 0.4,
  trainingMinutes: 40,
  logs: 0.5,
};

export const steady: SimulatedPerson = {
  name: 'steady',
  profile: { date_of_birth: '1987-04-02', weight_kg: 72, height_cm: 175 },
  habits: usual,
};

/** Fitter by the end of the year: a quarter more variability, six beats fewer. */
export const improving: SimulatedPerson = {
  name: 'improving',
  profile: { date_of_birth: '1979-09-20', weight_kg: 84, height_cm: 178 },
  habits: { ...usual, variability: 38, rate: 66, steps: 5500, training: 0.35 },
  shift: (day) => {
    const gone = Math.max(0, day) / 365;
    return { lnVariability: 0.22 * gone, rate: -6 * gone, movement: 1 + 0.6 * gone };
  },
};

export const illDays = { from: 200, to: 206 } as const;
/** A week of fever, in bed. */
export const ill: SimulatedPerson = {
  name: 'ill for a week',
  profile: { date_of_birth: '1992-01-30', weight_kg: 66, height_cm: 170 },
  habits: { ...usual, variability: 62, rate: 56 },
  shift: (day): Shift => {
    if (day < illDays.from || day > illDays.to + 3) return {};
    const left = day <= illDays.to ? 1 : (illDays.to + 4 - day) / 4;
    return {
      lnVariability: -0.4 * left,
      rate: 9 * left,
      breaths: 2 * left,
      efficiency: -8 * left,
      movement: 1 - 0.7 * left,
    };
  },
};

/**
 * Two weeks of day shifts, one of night shifts; the first date of the night shifts has two sleeps,
 * and so does the last, with a short night.
 */
export const shiftWorker: SimulatedPerson = {
  name: 'shift worker',
  profile: { date_of_birth: '1983-11-11', weight_kg: 79, height_cm: 181 },
  habits: { ...usual, asleepMinutes: 410, logs: 0.2, training: 0.25 },
  shift: (day, random): Shift => {
    const ofTheTurn = ((day % 21) + 21) % 21;
    if (ofTheTurn === 14) return { secondSleep: 200 };
    if (ofTheTurn === 20) return { asleep: -150, secondSleep: 190, lnVariability: -0.06, rate: 1.5 };
    if (ofTheTurn > 14) return nightShift(random);
    return {};
  },
};
const nightShift = (random: Random): Shift => ({
  asleep: -70,
  efficiency: -5,
  lnVariability: -0.05,
  rate: 1.2,
  ...(random.chance(0.4) ? { secondSleep: random.int(30, 90) } : {}),
});

/**
 * Flies nine hours east or west every five weeks, and back after one: a date with a sleep on the
 * plane and one after it, and nights awake.
 */
export const traveller: SimulatedPerson = {
  name: 'traveller',
  profile: { date_of_birth: '1975-06-15', weight_kg: 75, height_cm: 172 },
  habits: { ...usual, variability: 42, rate: 60, logs: 0.25 },
  shift: (day): Shift => {
    const since = ((day % 35) + 35) % 35;
    const landed = since < 7 ? since : since < 14 ? since - 7 : 99;
    if (landed === 0) return { asleep: -200, secondSleep: 200, movement: 0.6, lnVariability: -0.08, rate: 2 };
    if (landed < 4) return { asleep: -60, efficiency: -6, lnVariability: -0.05, rate: 1.5 };
    return {};
  },
};

export const athlete: SimulatedPerson = {
  name: 'athlete',
  profile: { date_of_birth: '1998-08-08', weight_kg: 64, height_cm: 176 },
  habits: {
    ...usual,
    variability: 110,
    variabilitySpread: 0.12,
    rate: 42,
    rateSpread: 1.5,
    asleepMinutes: 480,
    steps: 6500,
    training: 0.86,
    trainingMinutes: 95,
    logs: 0.7,
  },
};

/** Wears the device for some days, and forgets it for weeks. */
export const sparse: SimulatedPerson = {
  name: 'sparse',
  profile: { weight_kg: 80 },
  habits: { ...usual, logs: 0.1 },
  isWorn: (day, random) => (((day % 40) + 40) % 40 < 18 ? random.chance(0.6) : random.chance(0.05)),
};

export const swapDay = 180;
/** A ring that reports 50 ms, and then a watch that reports 68. */
export const swapper: SimulatedPerson = {
  name: 'swap of devices',
  profile: { date_of_birth: '1990-02-14', weight_kg: 70, height_cm: 168 },
  habits: usual,
  shift: (day) => (day < swapDay ? {} : { lnVariability: Math.log(68 / 50), rate: 2, movement: 1.1 }),
  device: (day) => (day < swapDay ? 0 : 1),
  isWorn: (day, random) => (day >= swapDay && day < swapDay + 28) || random.chance(0.97),
};

export const older: SimulatedPerson = {
  name: 'older',
  profile: { date_of_birth: '1953-05-05', weight_kg: 71, height_cm: 166 },
  habits: {
    ...usual,
    variability: 24,
    variabilitySpread: 0.12,
    rate: 62,
    asleepMinutes: 390,
    latencyMinutes: 22,
    restorative: 0.34,
    steps: 4500,
    training: 0.3,
    trainingMinutes: 30,
  },
};

export const beginner: SimulatedPerson = {
  name: 'new',
  profile: { date_of_birth: '1995-12-24' },
  habits: { ...usual, logs: 0.3 },
  since: 0,
  isWorn: (day, random) => day < 28 || random.chance(0.97),
};

export const people: readonly SimulatedPerson[] = [
  steady,
  improving,
  ill,
  shiftWorker,
  traveller,
  athlete,
  sparse,
  swapper,
  older,
  beginner,
];
