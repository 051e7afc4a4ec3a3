// Hand-written records in the format of WHOOP's API v2.

export const sleep = {
  id: 'ecfc6a15-4661-442f-a9a4-f160dd7afae8',
  cycle_id: 93845,
  user_id: 10129,
  created_at: '2026-03-05T07:25:44.774Z',
  updated_at: '2026-03-05T08:25:44.774Z',
  start: '2026-03-04T22:21:26.410Z',
  end: '2026-03-05T06:21:26.410Z',
  timezone_offset: '+01:00',
  nap: false,
  score_state: 'SCORED',
  score: {
    stage_summary: {
      total_in_bed_time_milli: 28800000,
      total_awake_time_milli: 1800000,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: 14400000,
      total_slow_wave_sleep_time_milli: 6300000,
      total_rem_sleep_time_milli: 6300000,
      disturbance_count: 12,
    },
    sleep_needed: { baseline_milli: 27395716 },
    respiratory_rate: 16.1,
    sleep_performance_percentage: 98.0,
    sleep_efficiency_percentage: 93.75,
  },
};

export const nap = {
  ...sleep,
  id: 'c8a4f4be-9d4c-4a4e-8c83-4e6a1f6a4e01',
  start: '2026-03-05T13:00:00.000Z',
  end: '2026-03-05T13:30:00.000Z',
  nap: true,
  score: {
    stage_summary: {
      total_in_bed_time_milli: 1800000,
      total_awake_time_milli: 300000,
      total_light_sleep_time_milli: 1500000,
      total_slow_wave_sleep_time_milli: 0,
      total_rem_sleep_time_milli: 0,
    },
    respiratory_rate: 17,
    sleep_efficiency_percentage: 83.3,
  },
};

export const cycle = {
  id: 93845,
  user_id: 10129,
  created_at: '2026-03-05T07:25:44.774Z',
  updated_at: '2026-03-05T21:25:44.774Z',
  start: '2026-03-04T22:21:26.410Z',
  end: '2026-03-05T22:40:00.000Z',
  timezone_offset: '+01:00',
  score_state: 'SCORED',
  score: { strain: 10.4, kilojoule: 9120.4, average_heart_rate: 66, max_heart_rate: 151 },
};

export const recovery = {
  cycle_id: 93845,
  sleep_id: 'ecfc6a15-4661-442f-a9a4-f160dd7afae8',
  user_id: 10129,
  created_at: '2026-03-05T07:25:44.774Z',
  updated_at: '2026-03-05T07:25:44.774Z',
  score_state: 'SCORED',
  score: {
    user_calibrating: true,
    recovery_score: 53.0,
    resting_heart_rate: 60.0,
    hrv_rmssd_milli: 52.4171,
    spo2_percentage: 94.0,
    skin_temp_celsius: 35.2,
  },
};

export const workout = {
  id: '4d0c1f5e-76d8-4c3d-9a51-0f1d6c5e7a10',
  user_id: 10129,
  start: '2026-03-05T16:00:00.000Z',
  end: '2026-03-05T16:40:00.000Z',
  timezone_offset: '+01:00',
  sport_name: 'running',
  score_state: 'SCORED',
  score: {
    strain: 8.2,
    average_heart_rate: 123,
    max_heart_rate: 146,
    kilojoule: 1620.5,
    percent_recorded: 100.0,
    distance_meter: 5210.7,
    altitude_gain_meter: 38.2,
    zone_durations: { zone_zero_milli: 300000, zone_five_milli: 300000 },
  },
};

export const listOf = (...records: unknown[]): string => JSON.stringify({ records });
