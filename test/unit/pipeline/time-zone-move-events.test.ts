// A time-zone change is published once and in full, wherever its worker crashes.
import { expect, test } from 'vitest';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { crashingTable, WorkerCrashed } from '../../harness/crashing-table.ts';
import { createProviderDevice, exerciseFrom, sleepUntil } from '../../harness/provider-device.ts';
import { runWriter } from '../../harness/run-writer.ts';

const walked = (start: string, value: number) => {
  const startMs = Date.parse(start);
  return { metric: 'steps', startMs, endMs: startMs + 3_600_000, value, offsetMinutes: 60 } as const;
};

/** Returns whether the worker reached the end. */
async function moveDyingAt(at: number, applied: boolean): Promise<boolean> {
  const device = await createProviderDevice(undefined, 'UTC');
  await device.ingest({
    samples: [walked('2026-03-10T09:30:00Z', 600), walked('2026-03-11T23:30:00Z', 20)],
    sleep: [sleepUntil('2026-03-10T06:00:00Z', { summary: { sleep_heart_rate: { value: 52 } } })],
    workouts: [exerciseFrom('2026-03-20T03:00:00Z')],
  });
  await device.events();
  await updateUser(device.deps, device.caller, device.userId, { timezone: 'Pacific/Honolulu' });
  const { table, writes } = crashingTable(device.table, { at, applied });
  await runWriter(device.withTable(table), device.userId).catch((error) => expect(error).toBeInstanceOf(WorkerCrashed));
  device.clock.advance(workerWriteDeadlineMs);
  await device.processPending();
  expect(await device.events(), `crashed at write ${at}`).toEqual([
    {
      type: 'subject.synced',
      metrics: ['asleep', 'longest_sleep', 'sleep_heart_rate', 'steps'],
      from_date: '2026-03-09',
      to_date: '2026-03-20',
    },
    { type: 'score.updated', scores: ['sleep_score'], from_date: '2026-03-09', to_date: '2026-03-10' },
  ]);
  const { days, workouts } = await device.read();
  expect(days).toEqual({
    '2026-03-09': { steps: 300, asleep: 400, longest_sleep: 400, sleep_heart_rate: 52 },
    '2026-03-10': { steps: 300 },
    '2026-03-11': { steps: 20 },
  });
  expect(workouts).toMatchObject([{ date: '2026-03-19' }]);
  return writes() < at;
}

test.each([false, true])(
  'a time-zone change that crashes at any write is published once (crashing write applied: %s)',
  async (applied) => {
    let at = 1;
    while (!(await moveDyingAt(at, applied))) at += 1;
    expect(at).toBeGreaterThan(8);
  },
);
