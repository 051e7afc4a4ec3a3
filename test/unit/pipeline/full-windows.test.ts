// A source that answers for a range of days in full retracts what it said of those days before and
// does not repeat.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { CoveredRange, DailyTotal, Sample } from '../../../shared/measurements/records.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import {
  createProviderDevice,
  exerciseFrom,
  hourMs,
  type ProviderDevice,
  sleepUntil,
} from '../../harness/provider-device.ts';
import { addDevice, watch } from '../../harness/stored-data.ts';

let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
});

const window = (about: Omit<CoveredRange, 'from' | 'to'>, from = '2026-03-09', to = '2026-03-11'): CoveredRange[] => [
  { from, to, ...about },
];
const walked = (start: string, value: number, about: Partial<Sample> = {}): Sample => ({
  metric: 'steps',
  startMs: Date.parse(start),
  endMs: Date.parse(start) + hourMs,
  value,
  offsetMinutes: null,
  ...about,
});
const stated = (metric: MetricId, date: string, value: number): DailyTotal => ({ metric, date, value });
const days = async () => (await device.read()).days;
const nights = async () => (await device.read()).sleep.map(({ date, sourceId }) => `${date} ${sourceId}`);

describe('nights', () => {
  const night = (end: string, sourceId: string) => sleepUntil(`${end}T06:00:00Z`, { sourceId });

  test('missing from a full response are removed with the sleep of their day, and an event is published', async () => {
    await device.ingest({ sleep: [night('2026-03-10', 'a'), night('2026-03-11', 'b')] });
    await device.events();
    await device.ingest({ sleep: [night('2026-03-11', 'b')], covered: window({ sleep: true }) });
    expect(await nights()).toEqual(['2026-03-11 b']);
    expect(await days()).toEqual({ '2026-03-11': { asleep: 400, longest_sleep: 400 } });
    expect(await device.events()).toEqual([
      {
        type: 'data.updated',
        metrics: ['asleep', 'longest_sleep'],
        from_date: '2026-03-10',
        to_date: '2026-03-10',
        sleep: true,
        workouts: false,
      },
      { type: 'score.updated', scores: ['sleep_score'], from_date: '2026-03-10', to_date: '2026-03-10' },
    ]);
  });

  test('outside the window, of other devices, or where only workouts were requested stay', async () => {
    const other = await addDevice(device.deps, device.userId, watch);
    await device.accept({ sleep: [night('2026-03-10', 'other')] }, other);
    await device.ingest({ sleep: [night('2026-03-08', 'a'), night('2026-03-10', 'b'), night('2026-03-12', 'c')] });
    await device.ingest({ covered: window({ workouts: true }) });
    expect(await nights()).toHaveLength(4);
    await device.ingest({ covered: window({ sleep: true }) });
    expect((await nights()).sort()).toEqual(['2026-03-08 a', '2026-03-10 other', '2026-03-12 c']);
  });

  test('that move within the window keep their id', async () => {
    await device.ingest({ sleep: [night('2026-03-10', 'a')] });
    const [before] = (await device.read()).sleep;
    await device.ingest({ sleep: [night('2026-03-11', 'a')], covered: window({ sleep: true }) });
    expect((await device.read()).sleep).toMatchObject([{ id: before?.id, date: '2026-03-11' }]);
  });

  test('are matched by the days of the zone the window was requested in', async () => {
    await updateUser(device.deps, device.caller, device.userId, { timezone: 'Pacific/Auckland' });
    await device.processPending();
    await device.ingest({ sleep: [sleepUntil('2026-03-11T12:00:00Z', { sourceId: 'a' })] });
    expect(await nights()).toEqual(['2026-03-12 a']);
    await device.ingest({ covered: window({ sleep: true }) });
    expect(await nights()).toEqual(['2026-03-12 a']);
    await device.ingest({ covered: window({ sleep: true }, '2026-03-12', '2026-03-12') });
    expect(await nights()).toEqual([]);
  });

  test.each(['sleep', 'workouts'] as const)(
    'of a window that was requested before a time-zone change are matched by the earlier zone (%s)',
    async (kind) => {
      await updateUser(device.deps, device.caller, device.userId, { timezone: 'Pacific/Auckland' });
      await device.processPending();
      const at = kind === 'sleep' ? [sleepUntil('2026-03-11T12:00:00Z')] : [exerciseFrom('2026-03-11T12:00:00Z')];
      await device.ingest({ [kind]: at });
      await device.accept({ covered: window({ [kind]: true }, '2026-03-12', '2026-03-12') });
      await updateUser(device.deps, device.caller, device.userId, { timezone: 'Pacific/Honolulu' });
      await device.processPending();
      expect((await device.read())[kind]).toEqual([]);
    },
  );
});

test('workouts missing from a full response are removed together with their traces', async () => {
  const heartRate = [{ atMs: Date.parse('2026-03-10T18:30:00Z'), bpm: 140 }];
  const workouts = [exerciseFrom('2026-03-10T18:00:00Z', { sourceId: 'a', heartRate })];
  await device.ingest({ workouts });
  const [stored] = (await device.read()).workouts;
  await device.ingest({ workouts, covered: window({ workouts: true }) });
  expect(await sessionRows(device.deps.store).findTrace(device.userId, stored?.id ?? '')).toEqual(heartRate);
  await device.ingest({ covered: window({ workouts: true }) });
  expect((await device.read()).workouts).toEqual([]);
  expect((await device.sortKeys()).filter((sk) => sk.startsWith('H#'))).toEqual([]);
});

describe('stated totals', () => {
  test('missing from a full response are removed; a day without any value is removed, too', async () => {
    await device.ingest({ daily: [stated('steps', '2026-03-10', 900), stated('weight', '2026-03-10', 80)] });
    await device.events();
    await device.ingest({ covered: window({ daily: ['steps'] }) });
    expect(await days()).toEqual({ '2026-03-10': { weight: 80 } });
    expect(await device.events()).toMatchObject([
      { metrics: ['steps'], from_date: '2026-03-10', to_date: '2026-03-10' },
    ]);
    await device.ingest({ covered: window({ daily: ['weight'] }) });
    expect(await days()).toEqual({});
  });

  test('are retracted for the device that responded, not for the others', async () => {
    const other = await addDevice(device.deps, device.userId, watch);
    await device.ingest({ daily: [stated('weight', '2026-03-10', 80)] });
    await device.accept({ daily: [stated('steps', '2026-03-10', 900)] }, other);
    await device.processPending();
    expect(await days()).toEqual({ '2026-03-10': { weight: 80, steps: 900 } });
    await device.accept({ covered: window({ daily: ['steps'] }) }, other);
    await device.processPending();
    expect(await days()).toEqual({ '2026-03-10': { weight: 80 } });
  });

  test('that are retracted leave the sum of the samples', async () => {
    await device.ingest({
      samples: [walked('2026-03-10T08:00:00Z', 300)],
      daily: [stated('steps', '2026-03-10', 900)],
    });
    expect(await days()).toEqual({ '2026-03-10': { steps: 900 } });
    await device.ingest({ covered: window({ daily: ['steps'] }) });
    expect(await days()).toEqual({ '2026-03-10': { steps: 300 } });
  });

  test('of sleep that are retracted leave what the nights report', async () => {
    const sleep = [sleepUntil('2026-03-10T06:00:00Z')];
    await device.ingest({ sleep, daily: [stated('asleep', '2026-03-10', 444)] });
    expect((await days())['2026-03-10']).toMatchObject({ asleep: 444 });
    await device.ingest({ covered: window({ daily: ['asleep'] }) });
    expect((await days())['2026-03-10']).toMatchObject({ asleep: 400 });
  });

  test('that one upload states and the next retracts leave the derived value, processed together or not', async () => {
    await device.ingest({ samples: [walked('2026-03-10T08:00:00Z', 300)] });
    await device.accept({ daily: [stated('steps', '2026-03-10', 900)] });
    await device.accept({ covered: window({ daily: ['steps'] }) });
    await device.processPending();
    expect(await days()).toEqual({ '2026-03-10': { steps: 300 } });
  });

  test('are never retracted by an earlier claim', async () => {
    await device.accept({ covered: window({ daily: ['steps'], sleep: true, samples: ['steps'] }) });
    await device.accept({ daily: [stated('steps', '2026-03-10', 900)], sleep: [sleepUntil('2026-03-11T06:00:00Z')] });
    await device.processPending();
    expect(await days()).toMatchObject({ '2026-03-10': { steps: 900 }, '2026-03-11': { asleep: 400 } });
  });
});

describe('samples', () => {
  test('missing from a full response are removed by the day of their start, with any offset', async () => {
    const late = walked('2026-03-11T23:30:00Z', 100);
    await device.ingest({
      samples: [
        walked('2026-03-08T23:30:00Z', 10),
        walked('2026-03-09T00:30:00Z', 20),
        late,
        walked('2026-03-11T23:45:00Z', 40, { offsetMinutes: 60 }),
      ],
    });
    await device.ingest({ covered: window({ samples: ['steps'] }) });
    const stored = await sampleRows(device.deps.store).readBetween(device.userId, 'steps', {
      from: '2026-03-01',
      to: '2026-03-31',
    });
    expect(stored.flatMap(({ samples }) => samples.map(({ value }) => value))).toEqual([10]);
    expect(await days()).toEqual({
      '2026-03-08': { steps: 5 },
      '2026-03-09': { steps: 5 },
    });
  });

  test('of sleep stages are removed with the totals of their night', async () => {
    const stage = walked('2026-03-10T02:00:00Z', 60, { metric: 'deep_sleep' });
    await device.ingest({ samples: [stage], sleep: [sleepUntil('2026-03-10T06:00:00Z')] });
    expect((await days())['2026-03-10']).toMatchObject({ asleep: 400, deep_sleep: 60 });
    await device.ingest({ covered: window({ samples: ['deep_sleep'] }) });
    expect(await days()).toEqual({ '2026-03-10': { asleep: 400, longest_sleep: 400 } });
  });

  test('of other metrics and of other devices stay', async () => {
    const other = await addDevice(device.deps, device.userId, watch);
    await device.accept({ samples: [walked('2026-03-10T08:00:00Z', 300)] }, other);
    await device.ingest({ samples: [walked('2026-03-10T08:00:00Z', 60, { metric: 'heart_rate' })] });
    await device.ingest({ covered: window({ samples: ['steps', 'weight'] }) });
    expect(await days()).toEqual({ '2026-03-10': { steps: 300, heart_rate: 60 } });
  });
});

test('a window that repeats known data changes nothing and publishes no event', async () => {
  const records = {
    samples: [walked('2026-03-10T08:00:00Z', 300)],
    daily: [stated('weight', '2026-03-10', 80)],
    sleep: [sleepUntil('2026-03-10T06:00:00Z', { sourceId: 'n' })],
    workouts: [exerciseFrom('2026-03-10T18:00:00Z', { sourceId: 'w' })],
  };
  await device.ingest(records);
  const stored = () => device.allItems().filter(({ sk }) => /^([TZWNDLH]#|EVENT)/.test(String(sk)));
  const before = structuredClone(stored());
  const all = { sleep: true, workouts: true, daily: ['weight', 'steps'], samples: ['steps', 'heart_rate'] } as const;
  await device.ingest({ ...records, covered: window(all) });
  expect(stored()).toEqual(before);
  // Retracting everything and sending it again changes nothing either when both are processed
  // together.
  await device.accept({ covered: window(all) });
  await device.accept({ ...records, covered: window(all) });
  await device.processPending();
  expect(stored()).toEqual(before);
});
