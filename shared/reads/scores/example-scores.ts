// The scores of one fictional day, used as the example in the API reference.

const date = '2026-03-14';
const ring = { provider: 'oura', device_id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2' };
const ready = { status: 'ready', better: 'higher' };
const computed_at = '2026-03-14T07:27:10.004Z';
const withoutBaseline = { usual: null, z: null };
const variability = { input: 'sleep_heart_rate_variability', value: 48.1, usual: 46.7, z: 0.17, source: ring };
const restingHeartRate = { input: 'resting_heart_rate', value: 58.5, usual: 60.3, z: -0.78, source: ring };
const activityInputs = ['active_calories', 'exercise', 'steps'];

export const exampleFactor = {
  name: 'heart_rate_variability',
  contribution: 30,
  direction: 'neutral',
  ...variability,
  points: 75.8,
  weight: 40,
};

const sleep = { type: 'sleep_score', date, value: 91, ...ready, confidence: 'high', formula: 'sleep@3' };
const recovery = { type: 'recovery_score', date, value: 83, ...ready, confidence: 'medium', formula: 'recovery@3' };
const stress = {
  type: 'stress_score',
  date,
  value: 9,
  ...ready,
  better: 'lower',
  confidence: 'medium',
  formula: 'stress@2',
};
const noMeals = { status: 'missing', reason: 'no_data', inputs: ['dietary_energy'] };

const positiveFactor = (name: string, contribution: number, input: string) => ({
  name,
  contribution,
  direction: 'positive',
  input,
  ...withoutBaseline,
});

export const exampleCurrentScores = {
  data: [
    {
      ...sleep,
      computed_at,
      factors: [
        { ...positiveFactor('duration', 45, 'asleep'), value: 437, points: 89.3, weight: 50, source: ring },
        {
          ...positiveFactor('efficiency', 22, 'sleep_efficiency'),
          value: 88.5,
          points: 90.2,
          weight: 25,
          source: ring,
        },
        {
          ...positiveFactor('restorative', 9, 'restorative_sleep'),
          value: 167,
          points: 90.2,
          weight: 10,
          source: ring,
        },
        { ...positiveFactor('latency', 15, 'sleep_latency'), value: 6, points: 100, weight: 15, source: ring },
      ],
    },
    {
      ...recovery,
      computed_at,
      factors: [
        exampleFactor,
        {
          name: 'resting_heart_rate',
          contribution: 23,
          direction: 'positive',
          ...restingHeartRate,
          points: 89.9,
          weight: 25,
        },
        { ...positiveFactor('sleep', 23, 'sleep_score'), value: 91, points: 91, weight: 25, source: null },
        {
          name: 'respiratory_rate',
          contribution: 7,
          direction: 'neutral',
          input: 'sleep_respiratory_rate',
          value: 15.2,
          usual: 15.8,
          z: -1.1,
          points: 70.1,
          weight: 10,
          source: ring,
        },
      ],
    },
    {
      ...stress,
      computed_at,
      factors: [
        { ...exampleFactor, contribution: 7, points: 12, weight: 60 },
        {
          name: 'resting_heart_rate',
          contribution: 2,
          direction: 'negative',
          ...restingHeartRate,
          points: 4.6,
          weight: 40,
        },
      ],
    },
  ],
  status: {
    sleep_score: { status: 'ready' },
    recovery_score: { status: 'ready' },
    strain_score: { status: 'missing', reason: 'no_data', inputs: activityInputs },
    nutrition_score: noMeals,
    stress_score: { status: 'ready' },
    energy_reserve_score: { status: 'missing', reason: 'no_strain', inputs: activityInputs },
  },
};

export const exampleHistoryRow = recovery;

/** The last row is returned only with `include_missing=true`. */
export const exampleHistory = {
  data: [
    sleep,
    recovery,
    { date, type: 'nutrition_score', value: null, better: 'higher', confidence: null, formula: null, ...noMeals },
  ],
};
