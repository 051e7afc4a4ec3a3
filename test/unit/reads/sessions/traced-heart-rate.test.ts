// The heart rates that the source of a workout does not state are those of its trace, in every read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { form1Workouts } from '../../../../shared/reads/workouts/form-1.ts';
import { readWorkoutsAtOffset } from '../../../../shared/reads/workouts/read-workouts.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { readForm2Workout, readForm2Workouts } from '../../../harness/form-2-reads.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { addDevice, addTrace, addWorkouts, watch, workoutRow } from '../../../harness/stored-data.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };
const [from_date, to_date] = ['2026-03-14', '2026-03-14'];
const flatQuery = { start_date: from_date, end_date: to_date, page: 1, per_page: 9, include_sources: false };

const bpm = fc.integer({ min: 30, max: 230 });
const stated = fc.option(bpm);

test('a workout has its average and highest heart rate from the trace, as in its details', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bpm, { maxLength: 30 }), stated, stated, async (trace, avgHeartRate, maxHeartRate) => {
      const { deps } = memoryDeps();
      const { id: user } = await createUser(deps, caller, {});
      await addDevice(deps, user, watch);
      const hasTrace = trace.length > 0;
      const more = { avgHeartRate, maxHeartRate, trace: hasTrace ? 'x' : null };
      const row = workoutRow(0, '2026-03-14T16:05:00Z', 40, more);
      await addWorkouts(deps, user, '2026-03-14', row);
      const points = trace.map((each, at) => ({ atMs: row.startMs + at * 1_000, bpm: each }));
      const afterwards = { atMs: row.endMs + 1, bpm: 250 };
      if (hasTrace) await addTrace(deps, user, row.id, [...points, afterwards]);

      const sum = trace.reduce((total, each) => total + each, 0);
      const tenths = Math.floor((20 * sum + trace.length) / (2 * trace.length));
      const average = avgHeartRate ?? (hasTrace ? tenths / 10 : null);
      const highest = maxHeartRate ?? (hasTrace ? Math.max(...trace) : null);

      const [listed] = (
        await readForm2Workouts(deps, caller, user, { from_date, to_date, limit: 9, include_sources: false })
      ).data;
      const full = await readForm2Workout(deps, caller, user, row.id, { include_sources: false });
      const [flat] = form1Workouts.render(
        await readWorkoutsAtOffset(deps, caller, user, form1Workouts.parse(flatQuery)),
        flatQuery,
      ).data;
      const expected = { avg_heart_rate: average, max_heart_rate: highest };
      expect([listed, full]).toMatchObject([expected, expected]);
      expect(flat).toMatchObject({ heart_rate_avg: average, heart_rate_max: highest });
      expect([full.heart_rate?.avg_bpm, full.heart_rate?.max_bpm]).toEqual(
        hasTrace ? [average, highest] : [undefined, undefined],
      );
    }),
    { numRuns: 60 },
  );
});

test('a list reads one batch of traces: those of workouts on the page whose source states no heart rates', async () => {
  const { deps, table, withTable } = memoryDeps();
  const { id: user } = await createUser(deps, caller, {});
  await addDevice(deps, user, watch);
  const rows = [
    workoutRow(0, '2026-03-14T06:00:00Z', 40, { avgHeartRate: 120, maxHeartRate: 150, trace: 'x' }),
    workoutRow(0, '2026-03-14T08:00:00Z', 40, { avgHeartRate: 120, maxHeartRate: null, trace: 'x' }),
    workoutRow(0, '2026-03-14T10:00:00Z', 40, { avgHeartRate: null, maxHeartRate: null, trace: null }),
    workoutRow(0, '2026-03-14T12:00:00Z', 40, { avgHeartRate: null, maxHeartRate: null, trace: 'x' }),
  ];
  await addWorkouts(deps, user, '2026-03-14', ...rows);
  for (const { id, startMs, trace } of rows)
    if (trace !== null) await addTrace(deps, user, id, [{ atMs: startMs, bpm: 99 }]);
  const batches: string[][] = [];
  const counted = withTable({
    ...table,
    batchGet: (keys) => {
      batches.push(keys.map(({ sk }) => sk));
      return table.batchGet(keys);
    },
  });
  const read = (limit: number) =>
    readForm2Workouts(counted, caller, user, { from_date, to_date, limit, include_sources: false });
  expect((await read(9)).data).toHaveLength(4);
  const traceOf = (id = '') => expect.stringContaining(id);
  expect(batches).toEqual([[traceOf(rows[3]?.id), traceOf(rows[1]?.id)]]);
  batches.splice(0);
  expect((await read(2)).data).toHaveLength(2);
  expect(batches).toEqual([[traceOf(rows[3]?.id)]]);
});
