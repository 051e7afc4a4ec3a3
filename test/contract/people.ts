// The people whose data the cases read. Each is made when a case first asks, and is then the same for all cases of a worker.
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { minuteMs, type World } from './world.ts';

export const ring = { name: 'Ring', model: 'Ring1', type: 'ring' };
export const watch = { name: 'Watch', model: 'Watch1', type: 'wrist' };
export const pocket = { name: 'Phone', model: 'Phone1', type: 'phone' };
const scale = { name: 'Scale', model: 'Scale1', type: 'scale' };

/** Uploads, and works in what was sent. */
export async function send(world: World, phone: Phone, device: object, lists: object, zone = 'Europe/Berlin') {
  world.system.clock.advance(1_000);
  const told = await phone.upload({ time_zone: zone, device, ...lists });
  if (told.status !== 202) throw new Error(`not taken in: ${told.text}`);
  await world.system.host.drain();
  return told.body;
}

export const stated = (date: string, metric: string, value: number, unit: string) => ({ date, metric, value, unit });
export const sampled = (metric: string, start: string, value: number, unit: string, more: object = {}) => ({
  metric,
  start,
  value,
  unit,
  ...more,
});

/** Points of a trace, ten seconds apart. */
const traceOf = (start: string, minutes: number) =>
  Array.from({ length: minutes * 6 }, (_none, at) => ({
    timestamp: new Date(Date.parse(start) + at * 10_000).toISOString(),
    bpm: 100 + (Math.floor(at / 6) % 80),
  }));

const workout = (type: string, start: string, minutes: number, more: object = {}) => ({
  type,
  start,
  end: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
  ...more,
});

export interface Ada {
  id: string;
  /** Apple Health, with a ring, a watch, the phone itself and a scale. */
  apple: Phone;
  devices: { ring: string; watch: string; pocket: string; scale: string };
}

const known = new WeakMap<World, Map<string, Promise<unknown>>>();
export function oncePerWorld<T>(name: string, make: (world: World) => Promise<T>): (world: World) => Promise<T> {
  return (world) => {
    const people = known.get(world) ?? new Map<string, Promise<unknown>>();
    known.set(world, people);
    const made = people.get(name) ?? make(world);
    people.set(name, made);
    return made as Promise<T>;
  };
}

/** Lives in Berlin; two weeks of March, from three devices. */
export const ada = oncePerWorld('ada', async (world): Promise<Ada> => {
  const id = await world.user({
    external_ref: 'ada-1',
    timezone: 'Europe/Berlin',
    profile: { date_of_birth: '1986-03-14', weight_kg: 62 },
  });
  const apple = await openPhone(world.system, world.key, id);
  const dates = Array.from({ length: 14 }, (_none, at) => addDays('2026-03-01', at));
  await send(world, apple, ring, {
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
      stated(date, 'sleep_heart_rate', 54, 'bpm'),
      stated(date, 'sleep_heart_rate_variability', 50 + (at % 3) * 5, 'ms'),
      stated(date, 'sleep_respiratory_rate', 14.5, 'brpm'),
      stated(date, 'sleep_blood_oxygen', 97, '%'),
      stated(date, 'sleep_body_temperature', 36.6, '°C'),
      stated(date, 'sleep_skin_temperature', 34.2, '°C'),
      stated(date, 'sleep_wrist_temperature', 35.1, '°C'),
    ]),
    samples: [sampled('heart_rate', '2026-03-10T08:00:00Z', 61, 'bpm')],
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
    heart_rate: traceOf('2026-03-10T16:05:00Z', 40),
  };
  await send(world, apple, watch, {
    sleep: [{ start: '2026-03-02T22:40:00Z', end: '2026-03-03T06:20:00Z', asleep_minutes: 400 }],
    daily: dates
      .flatMap((date, at) => [
        stated(date, 'resting_heart_rate', 55 + (at % 4), 'bpm'),
        stated(date, 'respiratory_rate', 14 + (at % 2), 'brpm'),
        stated(date, 'active_calories', 400 + (at % 5) * 60, 'kcal'),
        stated(date, 'resting_energy', 1500, 'kcal'),
        stated(date, 'exercise', 45, 'min'),
        stated(date, 'steps', 7000 + at * 100, 'count'),
        stated(date, 'distance', 5 + at / 10, 'km'),
        stated(date, 'dietary_energy', 2100, 'kcal'),
        stated(date, 'protein', 90, 'g'),
        stated(date, 'fiber', 22, 'g'),
        stated(date, 'sugar', 60, 'g'),
        stated(date, 'sodium', 2200, 'mg'),
      ])
      .filter(({ date, metric }) => date !== '2026-03-11' || metric !== 'steps'),
    samples: [
      sampled('heart_rate', '2026-03-10T08:00:00Z', 70, 'bpm'),
      sampled('heart_rate', '2026-03-10T08:00:01Z', 71, 'bpm'),
      sampled('heart_rate', '2026-03-10T08:15:01+02:00', 72, 'bpm'),
      sampled('heart_rate_variability', '2026-03-10T08:00:00Z', 45, 'ms'),
      sampled('blood_oxygen', '2026-03-10T08:00:00Z', 0.97, 'fraction'),
      sampled('steps', '2026-03-11T08:00:00Z', 500, 'count', { end: '2026-03-11T08:15:00Z' }),
      sampled('active_calories', '2026-03-11T08:00:00Z', 83.68, 'kJ', { end: '2026-03-11T08:15:00Z' }),
    ],
    workouts: [
      workout('running', '2026-03-10T16:05:00Z', 40, run),
      workout('cycling', '2026-03-08T09:00:00Z', 120, { heart_rate: traceOf('2026-03-08T09:00:00Z', 120) }),
      workout('hiking', '2026-03-07T09:00:00Z', 240, { heart_rate: traceOf('2026-03-07T09:00:00Z', 240) }),
      workout('swimming', '2026-03-05T06:00:00Z', 30, {
        distance_km: 1,
        swimming_stroke_count: 640,
        swimming_lap_length_m: 25,
      }),
      workout('yoga', '2026-03-04T18:00:00Z', 30),
    ],
  });
  await send(world, apple, watch, {
    samples: [
      sampled('stress_score', '2026-03-10T08:00:00Z', 41, 'score'),
      sampled('stress_score', '2026-03-10T08:03:00Z', 44, 'score'),
    ],
  });
  await send(world, apple, pocket, {
    samples: [
      sampled('steps', '2026-03-11T14:00:00Z', 300, 'count', { end: '2026-03-11T14:10:00Z' }),
      sampled('weight', '2026-03-09T06:00:00Z', 70, 'kg'),
    ],
    daily: [
      stated('2026-03-09', 'lean_body_mass', 48.5, 'kg'),
      stated('2026-03-09', 'running', 5, 'mi'),
      stated('2026-03-09', 'cycling', 20, 'km'),
      stated('2026-03-09', 'swimming', 1000, 'm'),
      stated('2026-03-09', 'heart_rate_variability_rmssd', 41, 'ms'),
    ],
  });
  await send(world, apple, scale, { samples: [sampled('weight', '2026-03-09T06:30:00Z', 160, 'lb')] });
  // Scores that wait for a quiet moment are written by then.
  await world.pass(6 * minuteMs);
  const { data } = (await world.get(`/v1/users/${id}/devices`)).body;
  const [ofRing, ofWatch, ofPocket, ofScale] = data.map((device: { id: string }) => device.id);
  return { id, apple, devices: { ring: ofRing, watch: ofWatch, pocket: ofPocket, scale: ofScale } };
});

/** Of Berlin too, but travelling: what she sends carries the offsets of Hawaii and California. */
export const tara = oncePerWorld('tara', async (world): Promise<string> => {
  const id = await world.user({ timezone: 'Europe/Berlin' });
  const phone = await openPhone(world.system, world.key, id);
  const hawaii = { utc_offset: '-10:00' };
  await send(
    world,
    phone,
    watch,
    {
      sleep: [{ start: '2026-03-02T22:30:00Z', end: '2026-03-03T06:30:00Z', asleep_minutes: 430, ...hawaii }],
      samples: [sampled('steps', '2026-03-10T23:30:00Z', 700, 'count', { end: '2026-03-10T23:40:00Z', ...hawaii })],
      workouts: [
        workout('walking', '2026-03-12T23:30:00Z', 20, {
          utc_offset: '-08:00',
          heart_rate: traceOf('2026-03-12T23:30:00Z', 20),
        }),
      ],
    },
    'Pacific/Honolulu',
  );
  return id;
});

/** Without a zone: it was cleared after the upload. Her night of the 9th is that of New York. */
export const zoe = oncePerWorld('zoe', async (world): Promise<string> => {
  const id = await world.user({});
  const phone = await openPhone(world.system, world.key, id);
  const night = { start: '2026-03-10T03:30:00Z', end: '2026-03-10T11:00:00Z', asleep_minutes: 400 };
  const walked = sampled('steps', '2026-03-11T00:30:00Z', 600, 'count', { end: '2026-03-11T00:40:00Z' });
  await send(world, phone, watch, { sleep: [night], samples: [walked] }, 'America/New_York');
  await world.call('PATCH', `/v1/users/${id}`, { timezone: null });
  await world.settle();
  return id;
});

/** Of two providers that disagree about 10 March; the second was connected last. */
export const con = oncePerWorld('con', async (world): Promise<string> => {
  const id = await world.user({ timezone: 'UTC' });
  const night = { start: '2026-03-09T22:00:00Z', end: '2026-03-10T06:00:00Z' };
  const ofDay = (steps: number, distance: number, weight: number) => [
    stated('2026-03-10', 'steps', steps, 'count'),
    stated('2026-03-10', 'distance', distance, 'km'),
    stated('2026-03-10', 'weight', weight, 'kg'),
  ];
  const apple = await openPhone(world.system, world.key, id, 'apple_health');
  await send(world, apple, pocket, {
    daily: ofDay(100, 1, 70),
    sleep: [{ ...night, asleep_minutes: 400, deep_minutes: 60, in_bed_minutes: 480 }],
  });
  const samsung = await openPhone(world.system, world.key, id, 'samsung_health');
  await send(world, samsung, pocket, {
    daily: ofDay(300, 3, 74),
    sleep: [{ ...night, asleep_minutes: 420, deep_minutes: 90, in_bed_minutes: 470 }],
    workouts: [workout('yoga', '2026-03-10T18:00:00Z', 30)],
  });
  await world.settle();
  return id;
});

/** Stands in what a phone and a maker sent, in fields that nobody knows. */
export const rawMark = 'raw-words-of-a-device';

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
  surprise: rawMark,
});

export async function pushFromGarmin({ system, vendor }: World, body: object): Promise<number> {
  const headers = { 'garmin-client-id': vendor.credentials('garmin').clientId, 'content-type': 'application/json' };
  const url = system.host.baseUrl + pushPath(system.host.deps, 'garmin', 'live');
  const told = await vendor.push(url, { headers, body: JSON.stringify(body) });
  await system.host.drain();
  return told.status;
}

/** With a watch that is connected over its maker's cloud, which told of the 5th, and a phone. */
export const cleo = oncePerWorld('cleo', async (world): Promise<{ id: string; watch: string }> => {
  const id = await world.user({ timezone: 'Europe/Berlin' });
  const ofCloud = await world.connect(id, 'garmin', 'cleo');
  await world.settle();
  await pushFromGarmin(world, { dailies: [garminDay('2026-03-05', 9120)] });
  const phone = await openPhone(world.system, world.key, id);
  const resting = { ...stated('2026-03-05', 'resting_heart_rate', 61, 'bpm'), note: rawMark };
  await send(world, phone, { ...pocket, type: 'app' }, { daily: [resting] });
  return { id, watch: ofCloud };
});

/** In the sandbox. */
export const sam = oncePerWorld('sam', async (world): Promise<string> => {
  const id = await world.system.user(world.sandboxKey, { timezone: 'Europe/London' });
  await world.settle();
  return id;
});

/** Has nothing but a name. */
export const ned = oncePerWorld('ned', (world) => world.user({ external_ref: 'ned-1', timezone: 'Europe/Berlin' }));
