// Activities as Strava documents them.

export const trailRun = {
  id: 16_181_800_001,
  athlete: { id: 264_621 },
  name: 'Morning run',
  type: 'Run',
  sport_type: 'TrailRun',
  start_date: '2026-10-18T12:49:52Z',
  start_date_local: '2026-10-18T08:49:52Z',
  timezone: '(GMT-05:00) America/New_York',
  utc_offset: -14_400.0,
  elapsed_time: 7792,
  moving_time: 7772,
  distance: 22_601.3,
  total_elevation_gain: 202.0,
  average_speed: 2.908,
  has_heartrate: true,
  average_heartrate: 159.6,
  max_heartrate: 174.0,
  trainer: false,
  manual: false,
  private: false,
  visibility: 'everyone',
  device_name: 'Garmin FR 265',
  external_id: 'garmin_ping_4922',
  upload_id: 1726,
};

export const trailRunInFull = { ...trailRun, calories: 1530.0, description: null, laps: [] };
