// The users whose data the cases read. Each is created on first use and shared by all cases of a
// worker.
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { minuteMs, type World } from './world.ts';

export const ring = { name: 'Ring', model: 'Ring1', type: 'ring' };
export const watch = { name: 'Watch', model: 'Watch1', type: 'wrist' };
export const phoneDevice = { name: 'Phone', model: 'Phone1', type: 'phone' };
const scale = { name: 'Scale', model: 'Scale1', type: 'scale' };

/** Uploads the lists and processes them. */
export async function uploadAndProcess(
  world: World,
  phone: Phone,
  device: object,
  lists: object,
  zone = 'Europe/Berlin',
) {
  world.system.clock.advance(1_000);
  const response = await phone.upload({ time_zone: zone, device, ...lists });
  if (response.status !== 202) throw new Error(`the upload was rejected: ${response.text}`);
  await world.system.host.drain();
  return response.body;
}

export const dailyTotal = (date: string, metric: string, value: number, unit: string) => ({
  date,
  metric,
  value,
  unit,
});
export const makeSample = (metric: string, start: string, value: number, unit: string, more: object = {}) => ({
  metric,
  start,
  value,
  unit,
  ...more,
});

/** Points of a heart rate trace, ten seconds apart. */
const makeTrace = (start: string, minutes: number) =>
  Array.from({ length: minutes * 6 }, (_none, at) => ({
    timestamp: new Date(Date.parse(start) + at * 10_000).toISOString(),
    bpm: 100 + (Math.floor(at / 6) % 80),
  }));

const makeWorkout = (type: string, start: string, minutes: number, more: object = {}) => ({
  type,
  start,
  end: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
  ...more,
});

export interface Ada {
  id: string;
  /** An Apple Health phone with a ring, a watch, the phone itself and a scale as devices. */
  apple: Phone;
  devices: { ring: string; watch: string; pocket: string; scale: string };
}

const usersByWorld = new WeakMap<World, Map<string, Promise<unknown>>>();
export function oncePerWorld<T>(name: string, make: (world: World) => Promise<T>): (world: World) => Promise<T> {
  return (world) => {
    const users = usersByWorld.get(world) ?? new Map<string, Promise<unknown>>();
    usersByWorld.set(world, users);
    const user = users.get(name) ?? make(world);
    users.set(name, user);
    return user as Promise<T>;
  };
}

/** A user in Berlin with two weeks of March data from three devices. */
export const ada = oncePerWorld('ada', async (world): Promise<Ada> => {
  const id = await world.user({
    external_ref: 'ada-1',
    timezone: 'Europe/Berlin',
    profile: { date_of_birth: '1986-03-14', weight_kg: 62 },
  });
  const apple = await openPhone(world.system, world.key, id);
  const dates = Array.from({ length: 14 }, (_none, at) => addDays('2026-03-01', at));
  await uploadAndProcess(world, apple, ring, {
    sleep: [
      ...dates
        .filter((date) => date !== '2026-03-06')
        .map((date, at) => ({
          start: `${addDays(date, -1)}T22:30:00Z`,
          end: `${date}T06:30:00Z`,
          asleep_minutes: 420 + at,
          deep_minutes: 80,
          light_minutes: 240 + at,
          rem_minutes: 100,
          awake_minutes: 60 - at,
          in_bed_minutes: 480,
        })),
      { start: '2026-03-03T13:00:00Z', end: '2026-03-03T13:40:00Z', asleep_minutes: 35 },
    ],
    daily: dates.flatMap((date, at) => [
      dailyTotal(date, 'sleep_heart_rate', 54, 'bpm'),
      dailyTotal(date, 'sleep_heart_rate_variability', 50 + (at % 3) * 5, 'ms'),
      dailyTotal(date, 'sleep_respiratory_rate', 14.5, 'brpm'),
      dailyTotal(date, 'sleep_blood_oxygen', 97, '%'),
      dailyTotal(date, 'sleep_body_temperature', 36.6, '°C'),
      dailyTotal(date, 'sleep_skin_temperature', 34.2, '°C'),
      dailyTotal(date, 'sleep_wrist_temperature', 35.1, '°C'),
    ]),
    samples: [makeSample('heart_rate', '2026-03-10T08:00:00Z', 61, 'bpm')],
  });
  const run = {
    name: 'Evening run',
    calories: 612,
    distance_km: 8,
    avg_heart_rate: 151,
    max_heart_rate: 176,
    elevation_meters: 84,
    steps: 8120,
    strain: 12.4,
    avg_mets: 9.5,
    weather_temperature_c: 11.5,
    weather_humidity_pct: 62,
    heart_rate: makeTrace('2026-03-10T16:05:00Z', 40),
  };
  await uploadAndProcess(world, apple, watch, {
    sleep: [{ start: '2026-03-02T22:40:00Z', end: '2026-03-03T06:20:00Z', asleep_minutes: 400 }],
    daily: dates
      .flatMap((date, at) => [
        dailyTotal(date, 'resting_heart_rate', 55 + (at % 4), 'bpm'),
        dailyTotal(date, 'respiratory_rate', 14 + (at % 2), 'brpm'),
        dailyTotal(date, 'active_calories', 400 + (at % 5) * 60, 'kcal'),
        dailyTotal(date, 'resting_energy', 1500, 'kcal'),
        dailyTotal(date, 'exercise', 45, 'min'),
        dailyTotal(date, 'steps', 7000 + at * 100, 'count'),
        dailyTotal(date, 'distance', 5 + at / 10, 'km'),
        dailyTotal(date, 'dietary_energy', 2100, 'kcal'),
        dailyTotal(date, 'protein', 90, 'g'),
        dailyTotal(date, 'fiber', 22, 'g'),
        dailyTotal(date, 'sugar', 60, 'g'),
        dailyTotal(date, 'sodium', 2200, 'mg'),
      ])
      .filter(({ date, metric }) => date !== '2026-03-11' || metric !== 'steps'),
    samples: [
      makeSample('heart_rate', '2026-03-10T08:00:00Z', 70, 'bpm'),
      makeSample('heart_rate', '2026-03-10T08:00:01Z', 71, 'bpm'),
      makeSample('heart_rate', '2026-03-10T08:15:01+02:00', 72, 'bpm'),
      makeSample('heart_rate_variability', '2026-03-10T08:00:00Z', 45, 'ms'),
      makeSample('blood_oxygen', '2026-03-10T08:00:00Z', 0.97, 'fraction'),
      makeSample('steps', '2026-03-11T08:00:00Z', 500, 'count', { end: '2026-03-11T08:15:00Z' }),
      makeSample('active_calories', '2026-03-11T08:00:00Z', 83.68, 'kJ', { end: '2026-03-11T08:15:00Z' }),
    ],
    workouts: [
      makeWorkout('running', '2026-03-10T16:05:00Z', 40, run),
      makeWorkout('cycling', '2026-03-08T09:00:00Z', 120, { heart_rate: makeTrace('2026-03-08T09:00:00Z', 120) }),
      makeWorkout('hiking', '2026-03-07T09:00:00Z', 240, { heart_rate: makeTrace('2026-03-07T09:00:00Z', 240) }),
      makeWorkout('swimming', '2026-03-05T06:00:00Z', 30, {
        distance_km: 1,
        swimming_stroke_count: 640,
        swimming_lap_length_m: 25,
      }),
      makeWorkout('yoga', '2026-03-04T18:00:00Z', 30),
    ],
  });
  await uploadAndProcess(world, apple, watch, {
    samples: [
      makeSample('stress_score', '2026-03-10T08:00:00Z', 41, 'score'),
      makeSample('stress_score', '2026-03-10T08:03:00Z', 44, 'score'),
    ],
  });
  await uploadAndProcess(world, apple, phoneDevice, {
    samples: [
      makeSample('steps', '2026-03-11T14:00:00Z', 300, 'count', { end: '2026-03-11T14:10:00Z' }),
      makeSample('weight', '2026-03-09T06:00:00Z', 70, 'kg'),
    ],
    daily: [
      dailyTotal('2026-03-09', 'lean_body_mass', 48.5, 'kg'),
      dailyTotal('2026-03-09', 'running', 5, 'mi'),
      dailyTotal('2026-03-09', 'cycling', 20, 'km'),
      dailyTotal('2026-03-09', 'swimming', 1000, 'm'),
      dailyTotal('2026-03-09', 'heart_rate_variability_rmssd', 41, 'ms'),
    ],
  });
  await uploadAndProcess(world, apple, scale, { samples: [makeSample('weight', '2026-03-09T06:30:00Z', 160, 'lb')] });
  // By then, scores that wait for a quiet period are written.
  await world.passTime(6 * minuteMs);
  const { data } = (await world.get(`/v1/users/${id}/devices`)).body;
  const [ofRing, ofWatch, ofPocket, ofScale] = data.map((device: { id: string }) => device.id);
  return { id, apple, devices: { ring: ofRing, watch: ofWatch, pocket: ofPocket, scale: ofScale } };
});

/** Also in Berlin, but traveling: her uploads carry the offsets of Hawaii and California. */
export const tara = oncePerWorld('tara', async (world): Promise<string> => {
  const id = await world.user({ timezone: 'Europe/Berlin' });
  const phone = await openPhone(world.system, world.key, id);
  const hawaii = { utc_offset: '-10:00' };
  await uploadAndProcess(
    world,
    phone,
    watch,
    {
      sleep: [{ start: '2026-03-02T22:30:00Z', end: '2026-03-03T06:30:00Z', asleep_minutes: 430, ...hawaii }],
      samples: [makeSample('steps', '2026-03-10T23:30:00Z', 700, 'count', { end: '2026-03-10T23:40:00Z', ...hawaii })],
      workouts: [
        makeWorkout('walking', '2026-03-12T23:30:00Z', 20, {
          utc_offset: '-08:00',
          heart_rate: makeTrace('2026-03-12T23:30:00Z', 20),
        }),
      ],
    },
    'Pacific/Honolulu',
  );
  return id;
});

/**
 * A user without a zone, because it was cleared after the upload. Her night of the 9th is dated in
 * New York.
 */
export const zoe = oncePerWorld('zoe', async (world): Promise<string> => {
  const id = await world.user({});
  const phone = await openPhone(world.system, world.key, id);
  const night = { start: '2026-03-10T03:30:00Z', end: '2026-03-10T11:00:00Z', asleep_minutes: 400 };
  const walked = makeSample('steps', '2026-03-11T00:30:00Z', 600, 'count', { end: '2026-03-11T00:40:00Z' });
  await uploadAndProcess(world, phone, watch, { sleep: [night], samples: [walked] }, 'America/New_York');
  await world.call('PATCH', `/v1/users/${id}`, { timezone: null });
  await world.settle();
  return id;
});

/** A user of two providers that disagree about 10 March. The second one was connected last. */
export const con = oncePerWorld('con', async (world): Promise<string> => {
  const id = await world.user({ timezone: 'UTC' });
  const night = { start: '2026-03-09T22:00:00Z', end: '2026-03-10T06:00:00Z' };
  const ofDay = (steps: number, distance: number, weight: number) => [
    dailyTotal('2026-03-10', 'steps', steps, 'count'),
    dailyTotal('2026-03-10', 'distance', distance, 'km'),
    dailyTotal('2026-03-10', 'weight', weight, 'kg'),
  ];
  const apple = await openPhone(world.system, world.key, id, 'apple_health');
  await uploadAndProcess(world, apple, phoneDevice, {
    daily: ofDay(100, 1, 70),
    sleep: [{ ...night, asleep_minutes: 400, deep_minutes: 60, in_bed_minutes: 480 }],
  });
  const samsung = await openPhone(world.system, world.key, id, 'samsung_health');
  await uploadAndProcess(world, samsung, phoneDevice, {
    daily: ofDay(300, 3, 74),
    sleep: [{ ...night, asleep_minutes: 420, deep_minutes: 90, in_bed_minutes: 470 }],
    workouts: [makeWorkout('yoga', '2026-03-10T18:00:00Z', 30)],
  });
  await world.settle();
  return id;
});

/** Occurs in unknown fields that a phone and a provider sent. */
export const rawMarker = 'raw-words-of-a-device';

/** A day as Garmin pushes it. */
export const garminDay = (date: string, steps: number) => ({
  userId: 'cleo',
  summaryId: `summary-of-${date}`,
  calendarDate: date,
  startTimeInSeconds: Date.parse(`${date}T00:00:00+01:00`) / 1000,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: 86_400,
  steps,
  restingHeartRateInBeatsPerMinute: 52,
  surprise: rawMarker,
});

export async function pushFromGarmin({ system, fakeProvider }: World, body: object): Promise<number> {
  const headers = {
    'garmin-client-id': fakeProvider.credentials('garmin').clientId,
    'content-type': 'application/json',
  };
  const url = system.host.baseUrl + pushPath(system.host.deps, 'garmin', 'live');
  const response = await fakeProvider.push(url, { headers, body: JSON.stringify(body) });
  await system.host.drain();
  return response.status;
}

/**
 * A user with a phone and a watch that is connected through its provider, which reported the 5th.
 */
export const cleo = oncePerWorld('cleo', async (world): Promise<{ id: string; watch: string }> => {
  const id = await world.user({ timezone: 'Europe/Berlin' });
  const watchDevice = await world.connect(id, 'garmin', 'cleo');
  await world.settle();
  await pushFromGarmin(world, { dailies: [garminDay('2026-03-05', 9120)] });
  const phone = await openPhone(world.system, world.key, id);
  const resting = { ...dailyTotal('2026-03-05', 'resting_heart_rate', 61, 'bpm'), note: rawMarker };
  await uploadAndProcess(world, phone, { ...phoneDevice, type: 'app' }, { daily: [resting] });
  return { id, watch: watchDevice };
});

/** A user in the sandbox. */
export const sam = oncePerWorld('sam', async (world): Promise<string> => {
  const id = await world.system.user(world.sandboxKey, { timezone: 'Europe/London' });
  await world.settle();
  return id;
});

/** A user with a reference and no data. */
export const ned = oncePerWorld('ned', (world) => world.user({ external_ref: 'ned-1', timezone: 'Europe/Berlin' }));
