// A phone uploads one value of every metric of the catalog and reads it back: as a daily total, as a
// sample of the day and of the timeseries, and, for the metrics of a night, as a sleep session.
import { beforeAll, expect, test } from 'vitest';
import { type MetricId, metricIds, metricRow, toImperial } from '../../shared/catalog/metrics.ts';
import { openPhone } from '../harness/phone.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

const date = '2026-03-12';

let system: System;
let key: string;
beforeAll(async () => {
  system = await sharedSystem();
  key = (await system.account()).live_key;
});

interface Measured {
  metric: MetricId;
  unit: string;
  /** Has one decimal more than a response. */
  sent: number;
  expected: number;
}

/**
 * A plausible value of each metric, between a fifth and four fifths of its range. Metrics with the
 * same range have different values, so one cannot stand for another.
 */
const spread: readonly Measured[] = metricIds.map((metric, at) => {
  const { unit, precision, range } = metricRow(metric);
  const [min, max] = range;
  const fraction = 0.2 + (0.6 * at) / metricIds.length;
  const steps = Math.floor((min + fraction * (max - min)) * 10 ** precision);
  return { metric, unit, sent: (steps * 10 + 4) / 10 ** (precision + 1), expected: steps / 10 ** precision };
});
const sentStages = ['deep_sleep', 'rem_sleep'].map((stage) => spread.find(({ metric }) => metric === stage)?.sent ?? 0);
const restorative = sentStages.reduce((sum, minutes) => sum + minutes, 0);
/** A day's restorative sleep is its deep and its REM sleep. */
const measured = spread.map((each) =>
  each.metric === 'restorative_sleep' ? { ...each, sent: restorative, expected: Math.round(restorative) } : each,
);
const toValues = (list: readonly Measured[]) =>
  Object.fromEntries(list.map(({ metric, expected }) => [metric, expected]));

interface ReadBack {
  values: Record<string, number | null>;
  /** The samples of every metric, 16 metrics at a time. */
  samples: Record<'metric' | 'imperial', Record<string, unknown>[]>;
}

async function readBack(records: object): Promise<ReadBack> {
  const user = await system.user(key, { timezone: 'UTC' });
  const phone = await openPhone(system, key, user);
  const device = { name: 'Watch', model: 'W1', type: 'wrist' };
  const response = await phone.upload({ time_zone: 'UTC', device, ...records });
  expect([response.status, response.body.rejected]).toEqual([202, []]);
  await system.host.drain();
  const query = `types=${metricIds.join(',')}&from_date=${date}&to_date=${date}&unit_system=metric`;
  const { body } = await system.call('GET', `/v1/users/${user}/daily?${query}`, { token: key });
  expect(body.units).toEqual(Object.fromEntries(measured.map(({ metric, unit }) => [metric, unit])));
  const series: Record<string, (number | null)[]> = body.series;
  const values = Object.fromEntries(Object.entries(series).map(([metric, [value]]) => [metric, value ?? null]));
  return {
    values,
    samples: { metric: await listSamples(user, 'metric'), imperial: await listSamples(user, 'imperial') },
  };
}

async function listSamples(user: string, unitSystem: string): Promise<Record<string, unknown>[]> {
  const rest = [...metricIds];
  const samples: Record<string, unknown>[] = [];
  while (rest.length > 0) {
    const query = `metrics=${rest.splice(0, 16).join(',')}&start_date=${date}&end_date=${date}&unit_system=${unitSystem}`;
    samples.push(...(await system.call('GET', `/v1/users/${user}/timeseries?${query}`, { token: key })).body.data);
  }
  return samples;
}

test('a daily total of every metric is the value of its day, rounded once, and no sample', async () => {
  const daily = measured.map(({ metric, sent, unit }) => ({ date, metric, value: sent, unit }));
  expect(await readBack({ daily })).toEqual({ values: toValues(measured), samples: { metric: [], imperial: [] } });
});

test('one sample of every metric is the value of its day and is listed in both unit systems, rounded once', async () => {
  const samples = measured.map(({ metric, sent, unit }) => ({
    metric,
    start: `${date}T10:00:00Z`,
    end: `${date}T11:00:00Z`,
    value: sent,
    unit,
    utc_offset: '-03:30',
  }));
  const found = await readBack({ samples });
  expect(found.values).toEqual(toValues(measured));
  const common = { timestamp: `${date}T10:00:00.000Z`, utc_offset: '-03:30' };
  expect(found.samples).toEqual({
    metric: measured.map(({ metric, unit, expected }) => ({ ...common, metric, unit, value: expected })),
    imperial: measured.map(({ metric, sent }) => ({
      ...common,
      metric,
      unit: metricRow(metric).imperialUnit,
      value: toImperial(metric, sent),
    })),
  });
});

/** The metrics of a night that an uploaded sleep session has no field for. */
const notInSession: readonly MetricId[] = ['sleep_latency'];

test('a sleep session is the value of every metric of the night, on the day on which it ends', async () => {
  const { values } = await readBack({
    sleep: [
      {
        start: '2026-03-11T22:00:00Z',
        end: `${date}T06:00:00Z`,
        asleep_minutes: 420,
        deep_minutes: 80,
        light_minutes: 240,
        rem_minutes: 100,
        awake_minutes: 45,
        in_bed_minutes: 480,
      },
    ],
  });
  const night: Record<string, number> = {
    asleep: 420,
    longest_sleep: 420,
    time_in_bed: 480,
    time_awake: 45,
    light_sleep: 240,
    deep_sleep: 80,
    rem_sleep: 100,
    restorative_sleep: 80 + 100,
    sleep_efficiency: 87.5, // 420 of 480 minutes
  };
  expect(values).toEqual(Object.fromEntries(metricIds.map((metric) => [metric, night[metric] ?? null])));
  const nightly = metricIds.filter((metric) => metricRow(metric).group === 'sleep');
  const unfilled = nightly.filter((metric) => values[metric] === null);
  expect(unfilled, 'send the metric in the session above, or list it in notInSession').toEqual(notInSession);
});
