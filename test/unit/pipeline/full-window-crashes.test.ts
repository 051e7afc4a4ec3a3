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

async function expectFinalState(device: ProviderDevice): Promise<void> {
  const result = await device.read();
  expect(result.days).toEqual(expected.days);
  expect(result).toMatchObject(expected);
  const left = (await device.sortKeys()).filter((sk) => /^[BQH]#/.test(sk));
  expect(left).toEqual([]);
  const events = await device.events();
  const [from, to] = ['from_date', 'to_date'].map((end) => events.map((event) => Object(event)[end]).sort());
  expect([from?.[0], to?.at(-1)]).toEqual(['2026-03-10', '2026-03-12']);
  expect(new Set(events.flatMap((event) => Object(event).metrics))).toContain('weight');
}

async function prepareDevice(): Promise<ProviderDevice> {
  const device = await createProviderDevice();
  await device.ingest(before);
  await device.events();
  await device.accept(after);
  return device;
}

test('a retraction is completed after a crash following any of its writes', { timeout: 60_000 }, async () => {
  let crashes = 0;
  for (let writes = 0; ; writes++) {
    const device = await prepareDevice();
    const table = tableCrashingAfter(device.table, writes);
    await device.processPending(device.withTable(table)).catch(() => {});
    if (table.isDead()) {
      crashes++;
      device.clock.advance(600_000);
      await device.processPending();
    }
    await expectFinalState(device);
    if (!table.isDead()) break;
  }
  expect(crashes).toBeGreaterThan(10);
});

test('a retraction is completed when a second worker starts at any of its writes', { timeout: 60_000 }, async () => {
  let met = 0;
  for (let writes = 0; ; writes++) {
    const device = await prepareDevice();
    let left = writes;
    let other: Promise<void> | undefined;
    const { table } = device;
    const meeting = <T>(call: () => Promise<T>): Promise<T> => {
      if (left-- !== 0) return call();
      other = device.processPending();
      return other.then(call);
    };
    const own = device.withTable({
      ...table,
      write: (...args) => meeting(() => table.write(...args)),
      transact: (...args) => meeting(() => table.transact(...args)),
      batchWrite: (...args) => meeting(() => table.batchWrite(...args)),
    });
    await device.processPending(own);
    device.clock.advance(600_000);
    await device.processPending();
    await expectFinalState(device);
    if (!other) break;
    met++;
  }
  expect(met).toBeGreaterThan(10);
});
