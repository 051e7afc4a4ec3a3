// A month of uploads from two devices, and the values that a simple manual calculation expects from
// the API.

const zone = 'Europe/Berlin';
const hourMs = 3600 * 1000;

export interface Upload {
  time_zone: string;
  device: { name: string; model: string; type: string };
  samples: { metric: string; start: string; end?: string; value: number; unit: string; utc_offset?: string }[];
  daily: { date: string; metric: string; value: number; unit: string }[];
  sleep: Record<string, unknown>[];
  workouts: Record<string, unknown>[];
}

const iso = (ms: number) => new Date(ms).toISOString();
export const dateIn = (ms: number, timeZone = zone) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms);
const noise = (seed: number, max: number) =>
  Math.floor((((Math.sin(seed * 12.9898) * 43758.5453) % 1) + 1) * max) % max;

export function lastDays(nowMs: number, count: number): string[] {
  const noon = Date.parse(`${dateIn(nowMs)}T12:00:00Z`);
  return Array.from({ length: count }, (_none, i) => iso(noon - (count - i) * 24 * hourMs).slice(0, 10));
}

/** A wrist device with hourly steps, heart rate, an occasional daily total, nights and workouts. */
export function makeWatchMonth(days: string[]): Upload {
  const upload: Upload = {
    time_zone: zone,
    device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
    samples: [],
    daily: [],
    sleep: [],
    workouts: [],
  };
  days.forEach((date, d) => {
    const noon = Date.parse(`${date}T12:00:00Z`);
    for (let h = -11; h <= 11; h++) {
      const start = noon + h * hourMs;
      upload.samples.push({
        metric: 'steps',
        start: iso(start),
        end: iso(start + hourMs),
        value: 100 + noise(d * 100 + h, 900),
        unit: 'count',
      });
      upload.samples.push({
        metric: 'heart_rate',
        start: iso(start + 60_000),
        value: 55 + noise(d * 31 + h, 60),
        unit: 'bpm',
      });
    }
    upload.daily.push({ date, metric: 'active_calories', value: 1000 + noise(d, 1500), unit: 'kJ' });
    upload.daily.push({ date, metric: 'resting_heart_rate', value: 48 + noise(d + 7, 12), unit: 'bpm' });
    if (d % 5 === 0) upload.daily.push({ date, metric: 'steps', value: 12_345 + d, unit: 'count' });
    if (d % 4 !== 3) {
      const asleep = 380 + noise(d + 3, 60);
      const deep = 60 + noise(d + 4, 30);
      const rem = 70 + noise(d + 5, 30);
      upload.sleep.push({
        start: iso(noon - 14 * hourMs),
        end: iso(noon - 6 * hourMs),
        asleep_minutes: asleep,
        deep_minutes: deep,
        rem_minutes: rem,
        light_minutes: asleep - deep - rem,
        awake_minutes: 480 - asleep,
        in_bed_minutes: 480,
      });
    }
    if (d % 3 === 0)
      upload.workouts.push({
        type: 'running',
        name: `Run ${d}`,
        start: iso(noon + 4 * hourMs),
        end: iso(noon + 5 * hourMs),
        calories: 500 + d,
        distance_km: 10,
        heart_rate: Array.from({ length: 60 }, (_none, m) => ({
          timestamp: iso(noon + 4 * hourMs + m * 60_000),
          bpm: 120 + noise(m + d, 40),
        })),
      });
  });
  return upload;
}

/**
 * A phone in a pocket: fewer steps, distance in meters, the weight of a scale in pounds, and every
 * night with slightly different times.
 */
export function makePhoneMonth(days: string[]): Upload {
  const upload: Upload = {
    time_zone: zone,
    device: { name: 'Phone', model: 'SM-S921B', type: 'phone' },
    samples: [],
    daily: [],
    sleep: [],
    workouts: [],
  };
  days.forEach((date, d) => {
    const noon = Date.parse(`${date}T12:00:00Z`);
    for (let h = -8; h <= 8; h += 2)
      upload.samples.push({
        metric: 'steps',
        start: iso(noon + h * hourMs),
        end: iso(noon + h * hourMs + 600_000),
        value: 200 + noise(d * 7 + h, 500),
        unit: 'count',
      });
    upload.daily.push({ date, metric: 'distance', value: 3000 + noise(d + 11, 4000), unit: 'm' });
    if (d % 7 === 0)
      upload.samples.push({ metric: 'weight', start: iso(noon - 5 * hourMs), value: 150 + noise(d, 5), unit: 'lb' });
    upload.sleep.push({
      start: iso(noon - 13.5 * hourMs),
      end: iso(noon - 6.25 * hourMs),
      asleep_minutes: 400,
      in_bed_minutes: 435,
    });
  });
  return upload;
}

type Values = Map<string, Map<string, number>>;
const put = (values: Values, metric: string, date: string, value: number) =>
  values.set(metric, (values.get(metric) ?? new Map()).set(date, value));

const convertToMetric: Record<string, (value: number) => number> = {
  kJ: (v) => v / 4.184,
  m: (v) => v / 1000,
  lb: (v) => v * 0.45359237,
};

/** Returns the daily values of one device: daily totals first, then samples by day, then nights. */
export function deviceDays(upload: Upload): Values {
  const values: Values = new Map();
  for (const night of upload.sleep) {
    const date = dateIn(Date.parse(String(night['end'])));
    const minutes = (field: string) => (typeof night[field] === 'number' ? night[field] : undefined);
    const fields = {
      asleep: 'asleep_minutes',
      deep_sleep: 'deep_minutes',
      rem_sleep: 'rem_minutes',
      light_sleep: 'light_minutes',
      time_awake: 'awake_minutes',
      time_in_bed: 'in_bed_minutes',
    };
    for (const [metric, field] of Object.entries(fields)) {
      const value = minutes(field);
      if (value !== undefined) put(values, metric, date, value);
    }
    const [asleep, inBed, deep, rem] = ['asleep_minutes', 'in_bed_minutes', 'deep_minutes', 'rem_minutes'].map(minutes);
    if (asleep !== undefined && inBed) put(values, 'sleep_efficiency', date, (100 * asleep) / inBed);
    if (deep !== undefined && rem !== undefined) put(values, 'restorative_sleep', date, deep + rem);
  }
  const bySampleDay = Map.groupBy(upload.samples, ({ metric, start }) => `${metric} ${dateIn(Date.parse(start))}`);
  for (const [name, samples] of bySampleDay) {
    const [metric = '', date = ''] = name.split(' ');
    const list = samples.map(({ value, unit }) => convertToMetric[unit]?.(value) ?? value);
    const sum = list.reduce((a, b) => a + b, 0);
    put(values, metric, date, metric === 'steps' ? sum : metric === 'weight' ? (list.at(-1) ?? 0) : sum / list.length);
  }
  for (const { metric, date, value, unit } of upload.daily)
    put(values, metric, date, convertToMetric[unit]?.(value) ?? value);
  return values;
}

/** Combines the values of two devices for a day; the first device ranks higher. */
export type CombineValues = (first: number | undefined, second: number | undefined) => number | undefined;
export const combineBy: Record<'priority' | 'max' | 'avg' | 'sum' | 'second', CombineValues> = {
  priority: (a, b) => a ?? b,
  max: (a, b) => (a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)),
  avg: (a, b) => (a === undefined || b === undefined ? (a ?? b) : (a + b) / 2),
  sum: (a, b) => (a === undefined || b === undefined ? (a ?? b) : a + b),
  second: (_a, b) => b,
};

export function expectedDaily(
  metric: string,
  dates: string[],
  first: Values,
  second: Values,
  how: CombineValues,
  decimals: number,
): (number | null)[] {
  return dates.map((date) => {
    const value = how(first.get(metric)?.get(date), second.get(metric)?.get(date));
    return value === undefined
      ? null
      : Number((Math.round(value * 10 ** decimals + 1e-9) / 10 ** decimals).toFixed(decimals));
  });
}
