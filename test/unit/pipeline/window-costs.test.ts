// What it costs to process a provider's window, counted by the table engine itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import type { Records } from '../../../shared/measurements/records.ts';
import {
  createProviderDevice,
  exerciseFrom,
  hourMs,
  type ProviderDevice,
  sleepUntil,
} from '../../harness/provider-device.ts';
import { startTable } from '../system/engines.ts';

const calls: { operation: string; readUnits: number; writeUnits: number }[] = [];
let localTable: LocalTable;
let device: ProviderDevice;
beforeAll(async () => {
  localTable = await startTable(undefined, (call) => calls.push(call));
  device = await createProviderDevice(localTable.table);
});
afterAll(() => localTable.stop());

const days = ['2026-03-09', '2026-03-10', '2026-03-11'];
/**
 * Three days of a ring: for each day a night, a workout, four totals and a heart rate every ten
 * minutes.
 */
const window = (secondEnds = '2026-03-10T06:00:00Z'): Records => ({
  sleep: ['2026-03-09T06:00:00Z', secondEnds, '2026-03-11T06:00:00Z'].map((end, at) =>
    sleepUntil(end, { sourceId: `night ${at}`, deepMinutes: 60, remMinutes: 90 }),
  ),
  workouts: days.map((date, at) => exerciseFrom(`${date}T18:00:00Z`, { sourceId: `workout ${at}` })),
  daily: days.flatMap((date) =>
    (['steps', 'active_calories', 'resting_heart_rate', 'weight'] as const).map((metric) => ({
      metric,
      date,
      value: 60,
    })),
  ),
  samples: days.flatMap((date) =>
    Array.from({ length: 144 }, (_none, at) => {
      const startMs = Date.parse(`${date}T00:00:00Z`) + (at * hourMs) / 6;
      return { metric: 'heart_rate' as const, startMs, endMs: startMs, value: 60 + (at % 20), offsetMinutes: 0 };
    }),
  ),
  covered: [
    {
      from: '2026-03-09',
      to: '2026-03-11',
      sleep: true,
      workouts: true,
      daily: ['steps', 'active_calories', 'resting_heart_rate', 'weight'],
      samples: ['heart_rate'],
    },
  ],
});

async function units(records: Partial<Records>): Promise<{ read: number; write: number }> {
  await device.accept(records);
  const before = calls.length;
  await device.processPending();
  const own = calls.slice(before);
  return {
    read: own.reduce((sum, { readUnits }) => sum + readUnits, 0),
    write: own.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

test('a window that changes nothing costs the end of its pass, and a moved night the days it touches', async () => {
  // This includes the scores of its three days.
  expect((await units(window())).write).toBe(36);
  // The identical window would be a repeat, so this one claims a day twice.
  const more = { from: '2026-03-10', to: '2026-03-10', sleep: true } as const;
  expect(await units({ ...window(), covered: [...(window().covered ?? []), more] })).toEqual({ read: 18, write: 5 });
  const movedWithinItsDay = await units(window('2026-03-10T07:00:00Z'));
  expect(movedWithinItsDay.write).toBe(10);
  const movedToAnother = await units(window('2026-03-11T20:00:00Z'));
  // This includes the scores of two days.
  expect(movedToAnother.write).toBe(20);
});
