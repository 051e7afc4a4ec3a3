// The stages of Withings' sleeps, from the requests for them to the nights that they belong to.
import { describe, expect, test } from 'vitest';
import type { ProviderRequest } from '../../../../shared/providers/kit/request-flow.ts';
import { withings } from '../../../../shared/providers/withings/descriptor.ts';
import { withingsFetch } from '../../../../shared/providers/withings/fetch.ts';
import { stageDays } from '../../../../shared/providers/withings/sleep-stages.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest, readInMarch } from '../kit/march-requests.ts';
import { nap, night, page } from './payloads.ts';

const daySeconds = 86_400;

describe('requests for stages', () => {
  const spansOf = (
    series: readonly unknown[],
    more: Parameters<typeof marchFetchRequest>[0] = {},
    status = 0,
  ): { spans: (string | undefined)[][]; stages: (string | undefined)[]; requests: ProviderRequest[] } => {
    const { result, requests } = runRequestFlow(withingsFetch.fetchWindow(marchFetchRequest(more)), ({ form }) => {
      if (form?.['action'] === 'getsummary') return makeResponse({ status: 0, body: { series } });
      return makeResponse({ status: form?.['action'] === 'get' ? status : 0, body: { series: [] } });
    });
    return {
      requests,
      spans: requests
        .filter(({ form }) => form?.['action'] === 'get')
        .map(({ form }) => [form?.['startdate'], form?.['enddate']]),
      stages: result.filter(({ resource }) => resource === 'stages').map(({ parameter }) => parameter),
    };
  };

  test('cover each listed sleep, with one request for sleeps within 24 hours', () => {
    const { spans, stages, requests } = spansOf([nap, night]);
    // The night begins at 1772747000, and the nap ends 53,200 seconds later.
    expect(spans).toEqual([['1772747000', '1772800200']]);
    expect(stages).toEqual(['1772747000-1772800200']);
    expect(requests.find(({ form }) => form?.['action'] === 'get')?.url).toBe('https://wbsapi.withings.net/v2/sleep');
    const before = { ...night, startdate: night.startdate - daySeconds, enddate: night.enddate - daySeconds };
    expect(spansOf([nap, night, before]).spans).toEqual([
      ['1772660600', '1772687600'],
      ['1772747000', '1772800200'],
    ]);
  });

  test('cover a long sleep to its end, also when a shorter one lies within it', () => {
    const within = { ...night, id: 2, startdate: night.startdate + 600, enddate: night.enddate - 600 };
    expect(spansOf([night, within]).spans).toEqual([['1772747000', '1772774000']]);
  });

  test('are for the newest sleeps if there are more than may be requested', () => {
    const sleeps = Array.from({ length: 30 }, (_, at) => ({
      ...night,
      id: at,
      startdate: night.startdate + at,
      enddate: night.startdate + at + daySeconds,
    }));
    const { spans } = spansOf(sleeps);
    expect(spans.length).toBeLessThan(sleeps.length);
    expect(spans.at(-1)).toEqual([`${night.startdate + 29}`, `${night.startdate + 29 + daySeconds}`]);
  });

  test('leave out sleeps of other days, of more than 24 hours, and those that cannot be read', () => {
    const later = { ...night, startdate: night.startdate + 2 * daySeconds, enddate: night.enddate + 2 * daySeconds };
    const long = { ...night, startdate: night.enddate - daySeconds - 1 };
    expect(spansOf([later, long, { ...night, enddate: null }, { ...night, enddate: 5 }, 7, null]).spans).toEqual([]);
  });

  test('leave out nights that are older than 14 days', () => {
    const nowMs = (night.enddate + 14 * daySeconds) * 1000;
    expect(spansOf([night], { nowMs }).spans).toHaveLength(1);
    expect(spansOf([night], { nowMs: nowMs + 1000 }).spans).toEqual([]);
  });

  test('that are refused leave the night without them', () => {
    expect(spansOf([night], {}, 277)).toMatchObject({ spans: [['1772747000', '1772774000']], stages: [] });
  });

  test('of a full window fit into the part of the rate limit that may be used at once', () => {
    const { windowDays } = withings.sync;
    const to = Date.UTC(2026, 2, 6) / 1000;
    const nights = Array.from({ length: windowDays + 3 }, (_, at) => [
      { ...night, id: at, startdate: to - at * daySeconds - 7200, enddate: to - at * daySeconds + 20_000 },
      { ...nap, id: 100 + at, startdate: to - at * daySeconds + 40_000, enddate: to - at * daySeconds + 42_000 },
    ]).flat();
    const from = new Date((to - (windowDays - 1) * daySeconds) * 1000).toISOString().slice(0, 10);
    const { requests, spans } = spansOf(nights, { from, to: '2026-03-06', zone: 'Pacific/Kiritimati' });
    expect(spans.length).toBeGreaterThanOrEqual(stageDays - 1);
    // 40% of 120 a minute, of which a second page of each list must not exceed it either.
    expect(requests.length + 4).toBeLessThanOrEqual(48);
  });

  test('are bounded, whatever is listed', () => {
    const crowd = Array.from({ length: 300 }, (_, at) => ({
      ...night,
      id: at,
      startdate: night.startdate + at,
      enddate: night.startdate + at + daySeconds,
    }));
    expect(spansOf(crowd).spans).toHaveLength(20);
  });
});

const span = (sleep: { startdate: number; enddate: number }) => `${sleep.startdate}-${sleep.enddate}`;
/** In minutes from the start of the night. */
const segment = (from: number, to: number, state: unknown, more: object = {}) => ({
  startdate: night.startdate + 60 * from,
  enddate: night.startdate + 60 * to,
  state,
  ...more,
});
const read = (segments: readonly unknown[], sleeps: readonly object[] = [night], parameter = span(night)) =>
  readInMarch('withings', [page('sleep', { series: sleeps }), page('stages', { series: segments }, parameter)]);
const stagesIn = ({ records }: ReturnType<typeof read>) =>
  records.sleep.map(({ stages }) =>
    stages?.map(({ stage, startMs, endMs }) => [
      stage,
      (startMs / 1000 - night.startdate) / 60,
      (endMs / 1000 - night.startdate) / 60,
    ]),
  );

describe('the stages of a night', () => {
  test('are named by their states', () => {
    const result = read([0, 1, 2, 3, 4, 5, 15, 16, -1].map((state, at) => segment(at, at + 1, state)));
    const names = ['awake', 'light', 'deep', 'rem', 'asleep', 'asleep', 'out_of_bed', 'unknown', 'unknown'];
    expect(stagesIn(result)).toEqual([names.map((name, at) => [name, at, at + 1])]);
    expect(result.rejected.count).toBe(0);
  });

  test('may have gaps and come in any order', () => {
    expect(stagesIn(read([segment(60, 90, 2), segment(0, 30, 1)]))).toEqual([
      [
        ['light', 0, 30],
        ['deep', 60, 90],
      ],
    ]);
  });

  test('are cut at its ends, and those without a length or on top of others are rejected', () => {
    const result = read([segment(-30, 30, 1), segment(20, 40, 2), segment(50, 50, 3), segment(440, 500, 0)]);
    expect(stagesIn(result)).toEqual([
      [
        ['light', 0, 30],
        ['awake', 440, 450],
      ],
    ]);
    expect(result.rejected.first.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'stages.0.series.2 implausible_value',
      'stages.0.series.1 implausible_value',
    ]);
  });

  test('outside of every listed sleep are nobody’s', () => {
    const result = read([segment(-60, -30, 1), segment(0, 450, 2), segment(450, 500, 1)]);
    expect(stagesIn(result)).toEqual([[['deep', 0, 450]]]);
    expect(result.rejected.count).toBe(0);
  });

  test('that cannot be read are rejected, the others are stored, and the days are still covered', () => {
    const unreadable = [{ startdate: night.startdate }, segment(10, 20, 'deep'), null];
    const result = read([...unreadable, segment(30, 60, 3)]);
    expect(stagesIn(result)).toEqual([[['rem', 30, 60]]]);
    expect(result.rejected.count).toBe(3);
    expect(result.records.covered).toMatchObject([{ sleep: true }]);
  });

  test.each([
    ['an empty list', []],
    ['missing', undefined],
    ['null', null],
  ])('that are %s replace none that were read before', (_name, series) => {
    const pages = [page('sleep', { series: [night] }), page('stages', { series }, span(night))];
    const [sleep] = readInMarch('withings', pages).records.sleep;
    expect(sleep).not.toHaveProperty('stages');
    expect(sleep?.keepsStages).toBe(true);
  });

  test('that were not requested, or not for the whole night, stay as they are', () => {
    const [early, late] = [`${night.startdate}-${night.enddate - 60}`, `${night.startdate + 60}-${night.enddate}`];
    for (const parameter of [early, late, 'whenever', ''])
      expect(read([segment(0, 30, 1)], [night], parameter).records.sleep).toMatchObject([{ keepsStages: true }]);
    const [sleep] = readInMarch('withings', [page('sleep', { series: [night] })]).records.sleep;
    expect(sleep).toMatchObject({ keepsStages: true });
    expect(sleep).not.toHaveProperty('stages');
  });

  test('that two requests return are stored once', () => {
    const pages = [
      page('sleep', { series: [night] }),
      page('stages', { series: [segment(0, 30, 1)] }, span(night)),
      page('stages', { series: [segment(0, 30, 1), segment(30, 60, 2)] }, span(night)),
    ];
    const result = readInMarch('withings', pages);
    expect(stagesIn(result)).toEqual([
      [
        ['light', 0, 30],
        ['deep', 30, 60],
      ],
    ]);
    expect(result.rejected.count).toBe(0);
  });

  test('are instants, so a night on which clocks change needs no conversion', () => {
    const at = (text: string): number => Date.parse(text) / 1000;
    // Clocks go forward at 01:00 UTC on 29 March 2026.
    const spring = { ...night, data: {}, startdate: at('2026-03-28T22:00:00Z'), enddate: at('2026-03-29T05:00:00Z') };
    const change = at('2026-03-29T01:00:00Z');
    const series = [
      { startdate: spring.startdate, enddate: change, state: 2 },
      { startdate: change, enddate: spring.enddate, state: 3 },
    ];
    const { records } = readInMarch(
      'withings',
      [page('sleep', { series: [spring] }), page('stages', { series }, span(spring))],
      {
        requested: { from: '2026-03-29', to: '2026-03-29' },
        receivedMs: Date.UTC(2026, 2, 30),
        timeZone: 'Europe/Paris',
      },
    );
    expect(records.sleep).toMatchObject([
      {
        stages: [
          { stage: 'deep', startMs: spring.startdate * 1000, endMs: change * 1000 },
          { stage: 'rem', startMs: change * 1000, endMs: spring.enddate * 1000 },
        ],
      },
    ]);
  });
});

describe('a watch and a mat that report the same night', () => {
  const mat = { ...night, id: 1, model_id: 63, hash_deviceid: 'mat' };
  const watch = { ...night, id: 2, model_id: 93, hash_deviceid: 'watch', startdate: night.startdate + 600, data: {} };

  test.each([
    ['the device', { hash_deviceid: 'mat' }, { hash_deviceid: 'watch' }],
    ['the model', { model_id: 63 }, { model_id: 93 }],
  ])('each have the stages that name %s', (_name, ofMat, ofWatch) => {
    const result = read([segment(0, 200, 2, ofMat), segment(0, 100, 1, ofWatch)], [mat, watch]);
    expect(stagesIn(result)).toEqual([[['deep', 0, 200]], [['light', 10, 100]]]);
    expect(result.rejected.count).toBe(0);
  });

  test.each([
    ['that name no device', {}, [mat, watch]],
    ['of a model that both have', { model_id: 63 }, [mat, { ...watch, model_id: 63, hash_deviceid: null }]],
  ])('have no stages %s', (_name, more, sleeps) => {
    const result = read([segment(0, 200, 2, more)], sleeps);
    expect(stagesIn(result)).toEqual([undefined, undefined]);
    expect(result.rejected.count).toBe(0);
  });

  test('of which only one is named share nothing: a stage that names it is its own', () => {
    const unnamed = { ...watch, model_id: null, hash_deviceid: null };
    const result = read([segment(0, 200, 2, { hash_deviceid: 'mat' })], [mat, unnamed]);
    expect(stagesIn(result)).toEqual([[['deep', 0, 200]], undefined]);
  });

  test('have no stages of a third device', () => {
    expect(stagesIn(read([segment(0, 200, 2, { hash_deviceid: 'ring' })], [mat]))).toEqual([undefined]);
  });

  test('share no stages with a nap later on', () => {
    const series = [segment(0, 450, 2), { startdate: nap.startdate, enddate: nap.enddate, state: 1 }];
    const parameter = `${night.startdate}-${nap.enddate}`;
    const { records } = read(series, [night, nap], parameter);
    expect(records.sleep.map(({ stages }) => stages?.map(({ stage }) => stage))).toEqual([['deep'], ['light']]);
  });
});
