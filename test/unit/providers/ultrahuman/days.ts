// A hand-written day in the format of Ultrahuman's partner API: 5 March 2026 in Berlin, whose
// midnight is 1772665200.

export const midnight = 1772665200;

const series = (values: unknown[], more: object = {}) => ({ day_start_timestamp: midnight, values, ...more });

export const sleepObject = {
  bedtime_start: 1772663400,
  bedtime_end: 1772689800,
  quick_metrics: [
    { title: 'TIME IN BED', type: 'time_in_bed', value: 26400, display_text: '7h 20m', unit: null },
    { type: 'total_sleep', value: 24480 },
    { type: 'sleep_efic', value: 91 },
    { type: 'avg_hr', value: 52 },
    { type: 'avg_hrv', value: 48 },
  ],
  sleep_stages: [
    { type: 'deep_sleep', stage_time: 4680, percentage: 18 },
    { type: 'light_sleep', stage_time: 14400, percentage: 54 },
    { type: 'rem_sleep', stage_time: 5400, percentage: 20 },
    { type: 'awake', stage_time: 1920, percentage: 8 },
  ],
  sleep_graph: [],
  hr_graph: { data: [{ value: 51, timestamp: 1772670000 }] },
  spo2: { value: 97 },
  toss_turn: {},
  sleep_cycles: {},
  summary: [],
};

export const metrics = [
  {
    type: 'hr',
    object: series(
      [
        { value: 58, timestamp: 1772665215 },
        { value: null, timestamp: 1772668800 },
        { value: 121, timestamp: 1772722800 },
      ],
      { title: 'Heart Rate', last_reading: 68, unit: 'BPM' },
    ),
  },
  {
    type: 'temp',
    object: series([{ value: 34.1, timestamp: 1772670000 }], { unit: '°C', last_reading: { value: 34.1 } }),
  },
  { type: 'glucose', object: series([{ value: 96, timestamp: 1772700000 }]) },
  { type: 'hrv', object: series([{ value: 47, timestamp: 1772670000 }], { subtitle: 'Average', avg: 47 }) },
  { type: 'night_rhr', object: series([], { avg: 51 }) },
  {
    type: 'steps',
    object: series(
      [
        { value: 120, timestamp: 1772694000 },
        { value: 0, timestamp: 1772694300 },
      ],
      { total: 8452, avg: 62 },
    ),
  },
  { type: 'spo2', object: { avg: 97.5, unit: '%' } },
  { type: 'avg_sleep_hrv', object: { value: 48.5, day_start_timestamp: midnight } },
  { type: 'sleep_rhr', object: { value: 50, day_start_timestamp: midnight } },
  { type: 'active_minutes', object: { value: 38 } },
  { type: 'vo2_max', object: { value: 44 } },
  { type: 'recovery_index', object: { value: 71 } },
  { type: 'metabolic_score', object: { value: null } },
  { type: 'hba1c', object: { value: null, title: 'HbA1c' } },
  { type: 'average_body_temperature', object: { value: 36.4 } },
  { type: 'temperature_deviation', object: { value: -0.2 } },
  { type: 'Sleep', object: sleepObject },
];

export const live = (list: readonly unknown[]): string =>
  JSON.stringify({ data: { metric_data: list }, error: null, status: 200 });

export const documented = (byDate: Readonly<Record<string, readonly unknown[]>>, zone = 'Europe/Berlin'): string =>
  JSON.stringify({ data: { metrics: byDate, latest_time_zone: zone }, error: null, status: 'ok' });
