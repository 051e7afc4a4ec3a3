// The metrics that the demo requests and draws.

export const demoMetrics = [
  'steps',
  'asleep',
  'deep_sleep',
  'light_sleep',
  'rem_sleep',
  'time_awake',
  'resting_heart_rate',
  'sleep_heart_rate_variability',
  'heart_rate_variability',
] as const;
export type DemoMetric = (typeof demoMetrics)[number];

/** The one that scores prefer comes first. The other is a different measure. */
export const variabilityMetrics = ['sleep_heart_rate_variability', 'heart_rate_variability'] as const;
