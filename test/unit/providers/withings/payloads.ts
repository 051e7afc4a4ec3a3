// Responses as Withings documents them and as others have recorded them.
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';

export const page = (resource: string, body: object, parameter?: string): ProviderPage => ({
  resource,
  text: JSON.stringify({ status: 0, body }),
  ...(parameter === undefined ? {} : { parameter }),
});

export const watchDay = {
  date: '2026-03-05',
  timezone: 'Europe/Paris',
  steps: 6200,
  distance: 4810.5,
  elevation: 6,
  soft: 4980,
  moderate: 1260,
  intense: 300,
  active: 1560,
  calories: 304.8,
  totalcalories: 2454.5,
  hr_average: 74,
  hr_min: 49,
  hr_max: 141,
  deviceid: 'a1',
  brand: 1,
  model: 'ScanWatch',
  is_tracker: true,
  modified: 1772750000,
};
/** The same day as a phone's health store reported it to Withings. */
export const echoedDay = {
  ...watchDay,
  steps: 7011,
  brand: 18,
  model: 'GoogleFit tracker',
  is_tracker: false,
  deviceid: null,
};

/** 450 minutes from 21:43:20 to 05:13:20 UTC. */
export const night = {
  id: 2081804182,
  timezone: 'Europe/Paris',
  model: 32,
  hash_deviceid: 'h',
  startdate: 1772747000,
  enddate: 1772774000,
  date: '2026-03-06',
  completed: true,
  modified: 1772775000,
  data: {
    total_timeinbed: 27000,
    total_sleep_time: 24300,
    asleepduration: null,
    lightsleepduration: 13500,
    deepsleepduration: 5400,
    remsleepduration: 5400,
    wakeupduration: 2700,
    sleep_latency: 540,
    sleep_efficiency: 0.9,
    hr_average: 56,
    rr_average: 14,
    core_body_temperature_avg: 36.6,
  },
};
export const nap = {
  id: 2081804999,
  timezone: 'Europe/Paris',
  startdate: 1772798400,
  enddate: 1772800200,
  date: '2026-03-06',
  modified: 1772801000,
  data: { total_sleep_time: 1500, hr_average: 61, sleep_latency: 60 },
};

export const walk = {
  id: 3661300277,
  category: 1,
  timezone: 'Europe/Paris',
  date: '2026-03-05',
  startdate: 1772700000,
  enddate: 1772700900,
  attrib: 0,
  deviceid: null,
  data: {
    calories: 47,
    distance: 680,
    steps: 779,
    elevation: 10,
    hr_average: 80,
    hr_max: 95,
    pause_duration: 80,
    manual_calories: 0,
    manual_distance: 0,
  },
  modified: 1772701000,
};
export const swim = {
  ...walk,
  id: 3661300300,
  category: 7,
  startdate: 1772720000,
  enddate: 1772722400,
  data: { calories: 0, manual_calories: 210, pool_laps: 40, pool_length: 25, strokes: 812, hr_average: 0 },
};

export const weighing = {
  grpid: 4815757309,
  attrib: 0,
  date: 1772780000,
  modified: 1772780100,
  category: 1,
  deviceid: 'd',
  model: 'Body+',
  measures: [
    { value: 80250, type: 1, unit: -3 },
    { value: 21437, type: 6, unit: -3 },
    { value: 44138, type: 77, unit: -3 },
    { value: 173, type: 174, unit: -1, position: 3 },
  ],
};

/** A manually entered weight: Withings adds no fat, only lean mass. */
export const typedWeight = {
  ...weighing,
  grpid: 4815757777,
  attrib: 2,
  date: 1772783600,
  modified: 1772783600,
  deviceid: null,
  model: null,
  measures: [
    { value: 67000, type: 1, unit: -3 },
    { value: 0, type: 8, unit: -3 },
    { value: 0, type: 6, unit: -3 },
    { value: 67000, type: 5, unit: -3 },
  ],
};
