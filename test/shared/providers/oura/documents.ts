// Documents as Oura's API shows them, written down by hand.

export const longSleep = {
  id: '8f9a5221-639e-4a85-81cb-4065ef23f979',
  day: '2026-03-05',
  bedtime_start: '2026-03-04T23:41:10+01:00',
  bedtime_end: '2026-03-05T07:22:40+01:00',
  type: 'long_sleep',
  time_in_bed: 27690,
  total_sleep_duration: 24300,
  deep_sleep_duration: 4380,
  light_sleep_duration: 14100,
  rem_sleep_duration: 5820,
  awake_time: 3390,
  latency: 540,
  efficiency: 88,
  average_heart_rate: 56.25,
  lowest_heart_rate: 49,
  average_hrv: 52,
  average_breath: 14.5,
  heart_rate: { interval: 300.0, items: [58.0, null], timestamp: '2026-03-04T23:41:10.000+01:00' },
  hrv: { interval: 300.0, items: [41.0, null, 47.5], timestamp: '2026-03-04T23:51:10.000+01:00' },
  sleep_phase_5_min: '4221',
  sleep_phase_30_sec: '44222211',
  movement_30_sec: '1113',
  period: 0,
  sleep_analysis_reason: 'foreground_sleep_analysis',
  readiness: null,
  app_sleep_score: { of: 'next year' },
};

export const nap = {
  ...longSleep,
  id: 'e3bd41ab-4ea1-4c33-ae17-3e7a95a8d29f',
  bedtime_start: '2026-03-05T14:00:00+01:00',
  bedtime_end: '2026-03-05T14:40:00+01:00',
  type: 'sleep',
  time_in_bed: 2400,
  total_sleep_duration: 1800,
  deep_sleep_duration: null,
  light_sleep_duration: 1800,
  rem_sleep_duration: null,
  awake_time: 600,
  latency: 120,
  average_heart_rate: 62,
  lowest_heart_rate: 58,
  average_hrv: null,
  average_breath: null,
  heart_rate: null,
  hrv: null,
};

export const activity = {
  id: '3c5a1f0e-b6f3-4d39-9bc4-3c3c3d9d66a0',
  day: '2026-03-05',
  timestamp: '2026-03-05T04:00:00+01:00',
  score: null,
  steps: 9120,
  active_calories: 420,
  total_calories: 2480,
  equivalent_walking_distance: 8300,
  high_activity_time: 600,
  medium_activity_time: 2400,
  low_activity_time: 14400,
  non_wear_time: 0,
  class_5_min: '112',
  met: { interval: 60.0, items: [0.9], timestamp: '2026-03-05T04:00:00.000+01:00' },
};

export const run = {
  id: '1a0c7b3e-5a52-4b52-8f12-6d0a5e5d5f10',
  day: '2026-03-05',
  activity: 'running',
  start_datetime: '2026-03-05T18:00:00+01:00',
  end_datetime: '2026-03-05T18:30:00+01:00',
  calories: 287.868,
  distance: 5269.88,
  intensity: 'hard',
  label: 'Round the lake',
  source: 'confirmed',
};

export const listOf = (data: readonly unknown[], next_token: string | null = null): string =>
  JSON.stringify({ data, next_token });
