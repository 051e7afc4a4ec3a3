// The habits of each persona as data: the ranges of its users' values, and what happens to them.
import { defaultSandboxDays, type SandboxPersona } from '../../catalog/sandbox.ts';

type Range = readonly [low: number, high: number];
export type Sport = 'walking' | 'running' | 'cycling' | 'swimming';

export interface Habits {
  restingBpm: Range;
  maxBpm: Range;
  rmssdMs: Range;
  breathsPerMinute: Range;
  weightKg: Range;
  bodyFatPct: Range;
  vo2Max: Range;
  /** The formula for resting energy. */
  metabolism: 'adult' | 'child';
  /** Outside of workouts. */
  steps: Range;
  strideMetres: Range;
  workoutChance: number;
  workoutMinutes: Range;
  sports: readonly [Sport, ...Sport[]];
  /** Relative to an adult's speed at the same fitness. */
  speedFactor: number;
  /** Relative to the usual share of the heart rate reserve in a sport. */
  effortFactor: number;
  asleepMinutes: Range;
  /** The time asleep as a share of the time in bed. */
  efficiency: Range;
  latencyMinutes: Range;
  /** As a share of the time asleep. */
  deepShare: number;
  remShare: number;
  /** Minutes before midnight; a negative number is after midnight. */
  minutesInBedBeforeMidnight: Range;
  napChance: number;
  /** Of every six days, the last three are worked at night and slept through by day. */
  worksNightShifts: boolean;
  /** Of every six days, the last three are spent in another time zone. */
  travels: boolean;
  /**
   * Of every seven days, one is missing entirely and two are without the ring; some metrics are
   * never measured.
   */
  hasGaps: boolean;
  /** The user has no devices at first, and those that it links measure nothing. */
  isUnmeasured: boolean;
  /** The user measures for a minute every morning with a finger on the phone's camera. */
  usesCamera: boolean;
  /**
   * The smallest number of whole days before the day on which the user is created, and the only one if
   * it is below the default.
   */
  pastDays: number;
  /**
   * Whether scores have a baseline from the first day. Personas that demonstrate what scores lack
   * start without one.
   */
  hasBaseline: boolean;
  /** What happens around the day on which the user is created. */
  scenario: 'illness' | 'device_swap' | null;
  /** Whether all meals are logged, or mostly only a breakfast or a snack. */
  mealLogging: 'meals' | 'scraps';
}

/** Enough for a baseline of two weeks, which scores trust most, before the scenario starts. */
const longPastDays = 21;

const averageHabits: Habits = {
  restingBpm: [57, 66],
  maxBpm: [178, 194],
  rmssdMs: [34, 56],
  breathsPerMinute: [13.2, 16.2],
  weightKg: [58, 88],
  bodyFatPct: [18, 30],
  vo2Max: [34, 43],
  metabolism: 'adult',
  steps: [5_500, 9_500],
  strideMetres: [0.68, 0.8],
  workoutChance: 0.45,
  workoutMinutes: [25, 50],
  sports: ['walking', 'running', 'cycling'],
  speedFactor: 1,
  effortFactor: 1,
  asleepMinutes: [405, 455],
  efficiency: [0.87, 0.95],
  latencyMinutes: [5, 16],
  deepShare: 0.175,
  remShare: 0.22,
  minutesInBedBeforeMidnight: [10, 90],
  napChance: 0.08,
  worksNightShifts: false,
  travels: false,
  hasGaps: false,
  isUnmeasured: false,
  usesCamera: true,
  pastDays: defaultSandboxDays,
  hasBaseline: true,
  scenario: null,
  mealLogging: 'meals',
};

export const habitsByPersona: Readonly<Record<SandboxPersona, Habits>> = {
  average: averageHabits,
  athlete: {
    ...averageHabits,
    restingBpm: [41, 49],
    rmssdMs: [75, 115],
    weightKg: [56, 78],
    bodyFatPct: [8, 17],
    vo2Max: [54, 66],
    steps: [7_000, 11_000],
    workoutChance: 0.9,
    workoutMinutes: [50, 100],
    sports: ['running', 'cycling', 'swimming'],
    asleepMinutes: [450, 500],
    minutesInBedBeforeMidnight: [75, 120],
    napChance: 0.2,
  },
  shift_worker: {
    ...averageHabits,
    asleepMinutes: [380, 430],
    minutesInBedBeforeMidnight: [-30, 60],
    worksNightShifts: true,
  },
  traveller: { ...averageHabits, steps: [6_500, 11_500], travels: true },
  sparse: { ...averageHabits, workoutChance: 0.3, hasGaps: true, usesCamera: false, hasBaseline: false },
  new_user: { ...averageHabits, pastDays: 3, hasBaseline: false },
  ill: { ...averageHabits, pastDays: longPastDays, hasBaseline: false, scenario: 'illness' },
  // The phone's camera would keep measuring what the new device has to learn.
  device_swap: {
    ...averageHabits,
    rmssdMs: [44, 56],
    usesCamera: false,
    pastDays: longPastDays,
    hasBaseline: false,
    scenario: 'device_swap',
  },
  incomplete_log: { ...averageHabits, mealLogging: 'scraps' },
  child: {
    ...averageHabits,
    restingBpm: [76, 88],
    maxBpm: [196, 206],
    rmssdMs: [55, 85],
    breathsPerMinute: [18, 21],
    weightKg: [23, 31],
    bodyFatPct: [14, 21],
    vo2Max: [42, 50],
    metabolism: 'child',
    steps: [8_500, 12_500],
    strideMetres: [0.53, 0.6],
    workoutMinutes: [20, 40],
    sports: ['running', 'cycling', 'swimming'],
    speedFactor: 0.6,
    asleepMinutes: [560, 605],
    deepShare: 0.24,
    minutesInBedBeforeMidnight: [170, 215],
    napChance: 0,
    usesCamera: false,
    // Only its sleep is scored, and it is not compared with a baseline.
    hasBaseline: false,
  },
  older: {
    ...averageHabits,
    restingBpm: [60, 69],
    maxBpm: [138, 152],
    rmssdMs: [18, 29],
    breathsPerMinute: [14.2, 17.2],
    weightKg: [56, 82],
    bodyFatPct: [26, 36],
    vo2Max: [20, 27],
    steps: [2_800, 4_800],
    strideMetres: [0.62, 0.7],
    workoutChance: 0.3,
    workoutMinutes: [20, 35],
    sports: ['walking'],
    speedFactor: 0.9,
    effortFactor: 1.5,
    asleepMinutes: [365, 410],
    efficiency: [0.77, 0.85],
    latencyMinutes: [28, 46],
    deepShare: 0.105,
    remShare: 0.18,
    minutesInBedBeforeMidnight: [60, 110],
    napChance: 0.25,
  },
  empty: { ...averageHabits, isUnmeasured: true, pastDays: 0, hasBaseline: false },
};
