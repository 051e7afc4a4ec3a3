// A worker that crashes at any point while it processes a retraction leaves nothing undone and
// nothing behind; neither do two workers at once.
import { expect, test } from 'vitest';
import type { Records } from '../../../shared/measurements/records.ts';
import {
  createProviderDevice,
  exerciseFrom,
  hourMs,
  type ProviderDevice,
  sleepUntil,
  tableCrashingAfter,
} from '../../harness/provider-device.ts';

const heartRate = [{ atMs: Date.parse('2026-03-10T18:30:00Z'), bpm: 140 }];
const walk = (start: string, value: number) => ({
  metric: 'steps' as const,
  startMs: Date.parse(start),
  endMs: Date.parse(start) + hourMs,
  value,
  offsetMinutes: null,
});
const before: Partial<Records> = {
  sleep: [
    sleepUntil('2026-03-10T06:00:00Z', { sourceId: 'gone' }),
    sleepUntil('2026-03-11T06:00:00Z', { sourceId: 'moves' }),
    sleepUntil('2026-03-12T06:00:00Z', { sourceId: 'stays' }),
  ],
  workouts: [
    exerciseFrom('2026-03-10T18:00:00Z', { sourceId: 'gone', heartRate }),
    exerciseFrom('2026-03-11T18:00:00Z', { sourceId: 'moves', heartRate: null }),
  ],
  samples: [walk('2026-03-10T09:00:00Z', 100), walk('2026-03-11T09:00:00Z', 200)],
  daily: [
    { metric: 'steps', date: '2026-03-11', value: 900 },
    { metric: 'weight', date: '2026-03-10', value: 80 },
  ],
};
const after: Partial<Records> = {
  sleep: [
    sleepUntil('2026-03-12T06:00:00Z', { sourceId: 'stays' }),
    sleepUntil('2026-03-12T20:00:00Z', { sourceId: 'moves' }),
  ],
  workouts: [exerciseFrom('2026-03-12T12:00:00Z', { sourceId: 'moves' })],
  samples: [walk('2026-03-11T09:00:00Z', 200)],
  covered: [
    {
      from: '2026-03-10',
      to: '2026-03-12',
      sleep: true,
      workouts: true,
      daily: ['steps', 'weight'],
      samples: ['steps'],
    },
  ],
};
const expected = {
  days: {
    '2026-03-11': { steps: 200 },
    '2026-03-12': { asleep: 800, longest_sleep: 400 },
  },
  sleep: [
    { date: '2026-03-12', sourceId: 'stays' },
    { date: '2026-03-12', sourceId: 'moves' },
  ],
  workouts: [{ date: '2026-03-12', sourceId: 'moves' }],
};

async function isAsExpected(cloud: ProviderDevice): Promise<void> {
  const told = await cloud.read();
  expect(told.days).toEqual(expected.days);
  expect(told).toMatchObject(expected);
  const left = (await cloud.sortKeys()).filter((sk) => /^[BQH]#/.test(sk));
  expect(left).toEqual([]);
  const events = await cloud.events();
  const [from, to] = ['from_date', 'to_date'].map((end) => events.map((event) => Object(event)[end]).sort());
  expect([from?.[0], to?.at(-1)]).toEqual(['2026-03-10', '2026-03-12']);
  expect(new Set(events.flatMap((event) => Object(event).metrics))).toContain('weight');
}

async function prepared(): Promise<ProviderDevice> {
  const cloud = await createProviderDevice();
  await cloud.ingest(before);
  await cloud.events();
  await cloud.accept(after);
  return cloud;
}

test('a retraction is completed after a crash following any of its writes', { timeout: 60_000 }, async () => {
  let deaths = 0;
  for (let writes = 0; ; writes++) {
    const cloud = await prepared();
    const table = tableCrashingAfter(cloud.table, writes);
    await cloud.processPending(cloud.withTable(table)).catch(() => {});
    if (table.isDead()) {
      deaths++;
      cloud.clock.advance(600_000);
      await cloud.processPending();
    }
    await isAsExpected(cloud);
    if (!table.isDead()) break;
  }
  expect(deaths).toBeGreaterThan(10);
});

test('a retraction is completed when a second worker starts at any of its writes', { timeout: 60_000 }, async () => {
  let met = 0;
  for (let writes = 0; ; writes++) {
    const cloud = await prepared();
    let left = writes;
    let other: Promise<void> | undefined;
    const { table } = cloud;
    const meeting = <T>(call: () => Promise<T>): Promise<T> => {
      if (left-- !== 0) return call();
      other = cloud.processPending();
      return other.then(call);
    };
    const own = cloud.withTable({
      ...table,
      write: (...asked) => meeting(() => table.write(...asked)),
      transact: (...asked) => meeting(() => table.transact(...asked)),
      batchWrite: (...asked) => meeting(() => table.batchWrite(...asked)),
    });
    await cloud.processPending(own);
    cloud.clock.advance(600_000);
    await cloud.processPending();
    await isAsExpected(cloud);
    if (!other) break;
    met++;
  }
  expect(met).toBeGreaterThan(10);
});
