// Responses as Polar documents them: a day in Helsinki, two hours east of UTC.

export const activity = {
  start_time: '2026-03-11T00:00:00',
  end_time: '2026-03-11T23:59:59',
  active_duration: 'PT4H2M',
  calories: 2410,
  active_calories: 700,
  steps: 9140,
  distance_from_steps: 6480.2,
};

export const night = {
  polar_user: 'https://www.polaraccesslink.com/v3/users/475',
  date: '2026-03-11',
  sleep_start_time: '2026-03-10T23:42:30+02:00',
  sleep_end_time: '2026-03-11T07:30:30+02:00',
  device_id: '1111AAAA',
  light_sleep: 14_000,
  deep_sleep: 5000,
  rem_sleep: 6000,
  unrecognized_sleep_stage: 120,
  total_interruption_duration: 1500,
  sleep_score: 80,
  sleep_rating: 0,
  hypnogram: { '23:42': 2, '23:58': 4, '00:40': 6 },
  heart_rate_samples: { '23:44': 56, '00:14': 53, '23:43': 0 },
};

export const recharge = {
  date: '2026-03-11',
  heart_rate_avg: 55,
  heart_rate_variability_avg: 38,
  breathing_rate_avg: 13.8,
  nightly_recharge_status: 4,
  hrv_samples: { '23:56': 36, '00:41': 34 },
  breathing_samples: { '00:46': 13.9 },
};

export const heartRates = {
  date: '2026-03-11',
  heart_rate_samples: [
    { heart_rate: 58, sample_time: '00:03:10' },
    { heart_rate: 0, sample_time: '00:08:10' },
    { heart_rate: 97, sample_time: '17:30:00' },
    { heart_rate: null, sample_time: null },
  ],
};

export const exercise = {
  id: 'k3Zq9w',
  upload_time: '2026-03-11T17:00:00Z',
  device: 'Polar Vantage',
  start_time: '2026-03-11T17:20:05',
  start_time_utc_offset: 120,
  duration: 'PT1H2M3.5S',
  calories: 612,
  distance: 9800,
  heart_rate: { average: 141, maximum: 168 },
  sport: 'RUNNING',
  detailed_sport_info: 'RUNNING_TRAIL',
};

export const exerciseInFull = {
  ...exercise,
  samples: [
    { 'recording-rate': 5, 'sample-type': '1', data: '3.1,3.2' },
    { 'recording-rate': 5, 'sample-type': '0', data: '98,0,101' },
  ],
};

export const oxygenTest = {
  test_time: 1_773_212_400,
  time_zone_offset: 120,
  test_status: 'SPO2_TEST_PASSED',
  blood_oxygen_percent: 97,
};

export const bodyTemperature = {
  measurement_type: 'TM_CORE_TEMPERATURE',
  start_time: '2026-03-11T06:00:00',
  end_time: '2026-03-11T06:10:00',
  samples: [
    { temperature_celsius: 36.9, recording_time_delta_milliseconds: 0 },
    { temperature_celsius: 37.1, recording_time_delta_milliseconds: 300_000 },
    { temperature_celsius: null, recording_time_delta_milliseconds: 600_000 },
  ],
};

export const skinNight = {
  sleep_date: '2026-03-11',
  sleep_time_skin_temperature_celsius: 34.1,
  deviation_from_baseline_celsius: -0.2,
};

export const physical = {
  created: '2026-03-10T20:11:33.000Z',
  weight: 71.4,
  height: 178,
  'resting-heart-rate': 52,
  'vo2-max': 48,
  'weight-source': 'SOURCE_MEASURED',
};
