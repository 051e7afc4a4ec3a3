import { expect, it } from 'vitest';
import { ada, tara } from './users.ts';
import { contractWorld } from './world.ts';

const world = contractWorld();
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects, and fails where it is not there.
type Body = any;
const readForAda = async (path: string, token?: string): Promise<Body> =>
  (await world().get(`/v1/users/${(await ada(world())).id}/${path}`, token)).body;
const readForAdaInForm1 = (path: string): Promise<Body> => readForAda(path, world().form1Key);

const march = 'from_date=2026-03-01&to_date=2026-03-14';
const marchInForm1 = 'start_date=2026-03-01&end_date=2026-03-14';
const clockValue = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the night that ended on the 3rd and the nap of that day, as Form 1 reports them. */
async function readMarch3InForm1(more = ''): Promise<{ night: Body; nap: Body }> {
  const [night, nap] = (await readForAdaInForm1(`sleep?start_date=2026-03-03&end_date=2026-03-03${more}`)).data;
  return { night, nap };
}

async function readMarch3(): Promise<{ night: Body; nap: Body }> {
  const [nap, night] = (await readForAda('sleep?from_date=2026-03-03&to_date=2026-03-03')).data;
  return { night, nap };
}

/** Returns the listed workout of a type. */
async function findListedWorkout(type: string): Promise<Body> {
  const { data } = await readForAda(`workouts?${march}`);
  return data.find((each: { type: string }) => each.type === type);
}

const readWorkoutDetail = async (type: string): Promise<Body> =>
  readForAda(`workouts/${(await findListedWorkout(type)).id}`);

it('77. a Form 1 sleep session has start and end', async () => {
  const { night } = await readMarch3InForm1();
  expect(night).toMatchObject({ start: '2026-03-02T22:30:00.000Z', end: '2026-03-03T06:30:00.000Z' });
});

it('78. a Form 1 sleep session has seven integer minute fields', async () => {
  const { night } = await readMarch3InForm1();
  expect(night).toMatchObject({
    asleep: 422,
    time_awake: 58,
    light_sleep: 242,
    deep_sleep: 80,
    REM: 100,
    restorative_sleep: 180,
    time_in_bed: 480,
  });
});

it('79. Form 1 sleep_efficiency is a percentage', async () => {
  const { night } = await readMarch3InForm1();
  expect(night.sleep_efficiency).toBe(Math.round((1000 * 422) / 480) / 10);
});

it('80. a Form 1 sleep session has four vital averages', async () => {
  const { night } = await readMarch3InForm1();
  expect(night).toMatchObject({
    sleep_heart_rate: 54,
    sleep_heart_rate_variability: 60,
    sleep_respiratory_rate: 14.5,
    sleep_blood_oxygen: 97,
  });
});

it('81. a Form 1 sleep session has three temperatures, °C by default', async () => {
  const celsius = { sleep_body_temperature: 36.6, sleep_skin_temperature: 34.2, sleep_wrist_temperature: 35.1 };
  expect((await readMarch3InForm1()).night).toMatchObject(celsius);
  const fahrenheit = { sleep_body_temperature: 97.9, sleep_skin_temperature: 93.6, sleep_wrist_temperature: 95.2 };
  expect((await readMarch3InForm1('&unit_system=imperial')).night).toMatchObject(fahrenheit);
});

it('82. a Form 2 sleep session has an id', async () => {
  const { data } = await readForAda(`sleep?${march}`);
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  for (const id of ids) expect(id).toMatch(/^slp_[0-9a-z]{26}$/);
  expect(new Set(ids).size).toBe(14);
});

it('83. a night from the 2nd into the morning of the 3rd belongs to the 3rd', async () => {
  expect((await readMarch3()).night).toMatchObject({ date: '2026-03-03', start_time: '2026-03-02T23:30:00' });
  // The same night sent with the offset of Hawaii, where it ended on the 2nd: the profile's zone
  // decides.
  const { data } = (await world().get(`/v1/users/${await tara(world())}/sleep?${march}`)).body;
  expect(data).toMatchObject([{ date: '2026-03-03', start_time: '2026-03-02T23:30:00' }]);
});

it('84. start_time and end_time are clock values without offset', async () => {
  const { data } = await readForAda(`sleep?${march}`);
  for (const { start_time, end_time } of data) {
    expect(start_time).toMatch(clockValue);
    expect(end_time).toMatch(clockValue);
  }
  expect((await readMarch3()).nap).toMatchObject({
    start_time: '2026-03-03T14:00:00',
    end_time: '2026-03-03T14:40:00',
  });
});

it('85. duration_minutes is an integer', async () => {
  const { night, nap } = await readMarch3();
  expect([night.duration_minutes, nap.duration_minutes]).toEqual([480, 40]);
});

it('86. is_main_sleep is true for the principal session, false for naps', async () => {
  const { night, nap } = await readMarch3();
  expect([night.is_main_sleep, nap.is_main_sleep]).toEqual([true, false]);
});

it('87. source is the provider', async () => {
  const { data } = await readForAda(`sleep?${march}`);
  for (const { source } of data) expect(source).toBe('apple_health');
});

it('88. six minute fields are integers, or null when the provider did not report them', async () => {
  const { night, nap } = await readMarch3();
  const fields = ['asleep', 'deep', 'light', 'rem', 'awake', 'in_bed'].map((name) => `${name}_minutes`);
  expect(fields.map((field) => night[field])).toEqual([422, 80, 242, 100, 58, 480]);
  expect(fields.map((field) => nap[field])).toEqual([35, null, null, null, null, null]);
});

it('89. efficiency_pct is asleep time divided by in-bed time', async () => {
  const { data } = await readForAda(`sleep?${march}`);
  const nights = data.filter(({ in_bed_minutes }: { in_bed_minutes: number | null }) => in_bed_minutes !== null);
  expect(nights).toHaveLength(13);
  for (const { asleep_minutes, in_bed_minutes, efficiency_pct } of nights)
    expect(efficiency_pct).toBe(Math.round((1000 * asleep_minutes) / in_bed_minutes) / 10);
});

it('90. sleep sessions have no stage-by-stage hypnogram', async () => {
  const { data } = await readForAda(`sleep?${march}`);
  for (const session of [...data, (await readMarch3InForm1()).night]) {
    expect(Object.keys(session).filter((name) => /stage|hypnogram|phase/.test(name))).toEqual([]);
    expect(Object.values(session).filter((value) => Array.isArray(value))).toEqual([]);
  }
});

it('91. daily sleep totals and vital averages come from the daily endpoint', async () => {
  const types = 'asleep,deep_sleep,time_in_bed,sleep_heart_rate,sleep_respiratory_rate';
  const { series } = await readForAda(`daily?types=${types}&from_date=2026-03-03&to_date=2026-03-03`);
  // The night (422) plus the nap (35).
  expect(series).toEqual({
    asleep: [457],
    deep_sleep: [80],
    time_in_bed: [480],
    sleep_heart_rate: [54],
    sleep_respiratory_rate: [14.5],
  });
});

it('92. the sleep list has from_date, to_date, data and next_cursor', async () => {
  const complete = await readForAda(`sleep?${march}`);
  expect(complete).toEqual({
    from_date: '2026-03-01',
    to_date: '2026-03-14',
    data: expect.any(Array),
    next_cursor: null,
  });
  const page = await readForAda(`sleep?${march}&limit=2`);
  expect([page.data.length, page.next_cursor]).toEqual([2, expect.any(String)]);
});

it('93. a Form 1 workout has its ten fields', async () => {
  const { data } = await readForAdaInForm1(`workouts?${marchInForm1}`);
  expect(data.find(({ sport_type }: { sport_type: string }) => sport_type === 'running')).toMatchObject({
    sport_type: 'running',
    start: '2026-03-10T16:05:00.000Z',
    end: '2026-03-10T16:45:00.000Z',
    duration: 40,
    distance: 8,
    active_calories: 612,
    heart_rate_avg: 151,
    heart_rate_max: 176,
    heart_rate_zones: expect.any(Object),
    elevation_gain: 84,
  });
  for (const { start, end } of data) for (const time of [start, end]) expect(time).toMatch(instant);
});

it('94. heart_rate_zones has minutes for zone_1 to zone_5', async () => {
  const { data } = await readForAdaInForm1(`workouts?${marchInForm1}`);
  const { heart_rate_zones } = data.find(({ sport_type }: { sport_type: string }) => sport_type === 'cycling');
  expect(Object.keys(heart_rate_zones)).toEqual(['zone_1', 'zone_2', 'zone_3', 'zone_4', 'zone_5']);
  const minutes = Object.values<number>(heart_rate_zones);
  expect(Math.min(...minutes)).toBeGreaterThan(0);
  expect(minutes.reduce((sum, each) => sum + each)).toBe(120);
});

it('95. the Form 1 workouts response includes meta', async () => {
  const { data, meta } = await readForAdaInForm1(`workouts?${marchInForm1}&per_page=2`);
  expect([data.length, meta]).toEqual([2, { page: 1, per_page: 2, total: 5 }]);
});

it('96. a Form 2 workout has its ten fields', async () => {
  expect(await findListedWorkout('running')).toMatchObject({
    id: expect.stringMatching(/^wrk_[0-9a-z]{26}$/),
    type: 'running',
    start_time: '2026-03-10T17:05:00',
    duration_minutes: 40,
    calories: 612,
    distance_km: 8,
    source: 'apple_health',
    avg_heart_rate: 151,
    max_heart_rate: 176,
  });
  expect(await findListedWorkout('running')).toHaveProperty('strain');
});

it('97. strain is a number', async () => {
  expect((await findListedWorkout('running')).strain).toBe(12.4);
  expect((await readWorkoutDetail('running')).strain).toBe(12.4);
});

it('98. measurements that the source did not supply are null', async () => {
  const { calories, distance_km, avg_heart_rate, max_heart_rate, strain } = await findListedWorkout('yoga');
  expect([calories, distance_km, avg_heart_rate, max_heart_rate, strain]).toEqual([null, null, null, null, null]);
  expect(new Set(Object.values((await readWorkoutDetail('yoga')).metrics))).toEqual(new Set([null]));
  // The fields that it did supply are present.
  const { metrics } = await readWorkoutDetail('running');
  const supplied = { avg_mets: 9.5, weather_temperature_c: 11.5, weather_humidity_pct: 62 };
  expect(metrics).toMatchObject({ ...supplied, swimming_stroke_count: null, swimming_lap_length_m: null });
});

it('99. the workout list has from_date, to_date, data and next_cursor', async () => {
  const complete = await readForAda(`workouts?${march}`);
  expect(complete).toEqual({
    from_date: '2026-03-01',
    to_date: '2026-03-14',
    data: expect.any(Array),
    next_cursor: null,
  });
  const page = await readForAda(`workouts?${march}&limit=2`);
  expect([page.data.length, page.next_cursor]).toEqual([2, expect.any(String)]);
});

it('100. the workout detail adds name', async () => {
  const complete = await readWorkoutDetail('running');
  expect(complete).toMatchObject({ ...(await findListedWorkout('running')), name: 'Evening run' });
  expect(await findListedWorkout('running')).not.toHaveProperty('name');
});

it('101. the workout detail adds nine metrics, each a number or null', async () => {
  expect((await readWorkoutDetail('running')).metrics).toEqual({
    elevation_meters: 84,
    steps: 8120,
    avg_speed_kmh: 12,
    avg_pace_seconds_per_km: 300,
    avg_mets: 9.5,
    weather_temperature_c: 11.5,
    weather_humidity_pct: 62,
    swimming_stroke_count: null,
    swimming_lap_length_m: null,
  });
  const swum = { swimming_stroke_count: 640, swimming_lap_length_m: 25 };
  expect((await readWorkoutDetail('swimming')).metrics).toMatchObject(swum);
});

it('102. heart_rate is null when no trace was supplied', async () => {
  expect((await readWorkoutDetail('swimming')).heart_rate).toBeNull();
  expect((await readWorkoutDetail('cycling')).heart_rate).not.toBeNull();
});

it('103. heart_rate has avg_bpm, max_bpm, zones and samples', async () => {
  const { heart_rate } = await readWorkoutDetail('cycling');
  expect(heart_rate).toMatchObject({ avg_bpm: expect.any(Number), max_bpm: 179 });
  expect(heart_rate.zones.map(({ zone }: { zone: number }) => zone)).toEqual([1, 2, 3, 4, 5]);
  expect(heart_rate.samples[0]).toMatchObject({ timestamp: '2026-03-08T10:00:00', bpm: 100 });
  for (const { timestamp, bpm } of heart_rate.samples) {
    expect(timestamp).toMatch(clockValue);
    expect(bpm).toBeGreaterThanOrEqual(100);
  }
});

it('104. heart rate samples are averaged into 15, 30 or 60 second buckets', async () => {
  const steps = async (type: string) => {
    const { samples } = (await readWorkoutDetail(type)).heart_rate;
    const times = samples.map(({ timestamp }: { timestamp: string }) => Date.parse(`${timestamp}Z`) / 1000);
    return [times.length, times[1] - times[0], times.at(-1) - times.at(-2)];
  };
  // Workouts of 40 minutes, two hours and four hours, with a point every ten seconds.
  expect(await steps('running')).toEqual([160, 15, 15]);
  expect(await steps('cycling')).toEqual([240, 30, 30]);
  expect(await steps('hiking')).toEqual([240, 60, 60]);
});
