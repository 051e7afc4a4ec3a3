// One activity arrives as a summary and as details, in separate pushes and in any order. It is one
// workout, with its trace.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HeartRatePoint, Records } from '../../../../shared/measurements/records.ts';
import { sessionRows, type WorkoutRow } from '../../../../shared/measurements/rows/session-rows.ts';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';
import { createProviderDevice } from '../../../harness/provider-device.ts';

/** A ride of four hours from 09:00 at +01:00. */
const start = 1_773_216_000;
const seconds = 14_400;
const ride = {
  activityId: 14_229_628,
  activityName: 'Long ride',
  activityType: 'CYCLING',
  startTimeInSeconds: start,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: seconds,
  distanceInMeters: 112_340.5,
  activeKilocalories: 2610,
  averageHeartRateInBeatsPerMinute: 138,
  maxHeartRateInBeatsPerMinute: 171,
  totalElevationGainInMeters: 940,
  deviceName: 'Edge 1040',
};
const summary = { userId: 'ada', summaryId: '14229628', ...ride };
const detailsOf = (length: number) => ({
  userId: 'ada',
  summaryId: '14229628-detail',
  activityId: 14_229_628,
  summary: ride,
  samples: Array.from({ length }, (_, second) => ({
    startTimeInSeconds: start + second,
    latitudeInDegree: 48.137_154 + second * 1e-5,
    longitudeInDegree: 11.576_124 + second * 1e-5,
    elevationInMeters: 519.4,
    airTemperatureCelcius: 14,
    heartRate: 120 + (second % 40),
    speedMetersPerSecond: 7.8,
    totalDistanceInMeters: second * 7.8,
    powerInWatts: 210,
    bikeCadenceInRPM: 88,
    timerDurationInSeconds: second,
    clockDurationInSeconds: second,
    movingDurationInSeconds: second,
  })),
});
const edited = { ...summary, activityName: 'Over the pass', manual: true };

function recordsOf(lists: object): Records {
  const pages = [{ resource: 'push', text: JSON.stringify(lists) }];
  const raw = Buffer.from(JSON.stringify({ requested: null, pages }));
  return normalizeGarmin(raw, { receivedMs: Date.parse('2026-03-12T00:00:00Z'), scopes: [], timeZone: null }).records;
}

interface Stored {
  workouts: Omit<WorkoutRow, 'id' | 'receivedMs' | 'trace'>[];
  traces: (HeartRatePoint[] | null)[];
  days: Record<string, Record<string, number>>;
}

async function storedAfter(pushes: readonly Records[]): Promise<Stored> {
  const device = await createProviderDevice();
  for (const push of pushes) await device.ingest(push);
  const stored: Stored = { workouts: [], traces: [], days: (await device.read()).days };
  const rows = sessionRows(device.deps.store);
  for await (const { sessions } of rows.workouts.iterateAll(device.userId))
    for (const { id, receivedMs: _receivedMs, trace, ...workout } of sessions) {
      stored.workouts.push(workout);
      stored.traces.push(trace === null ? null : await rows.findTrace(device.userId, id));
    }
  return stored;
}

test('the details of a four-hour ride have a trace of every second', async () => {
  const { workouts, traces, days } = await storedAfter([recordsOf({ activityDetails: [detailsOf(seconds)] })]);
  expect(workouts).toMatchObject([
    { sourceId: '14229628', name: 'Long ride', distanceKm: 112.3405, avgHeartRate: 138 },
  ]);
  expect(traces[0]?.length).toBe(14_400);
  expect(traces[0]?.[3_661]).toEqual({ atMs: (start + 3_661) * 1000, bpm: 120 + (3_661 % 40) });
  expect(days['2026-03-11']).toMatchObject({ cycling: 112.3405 });
});

test('a summary alone is the workout, without a trace', async () => {
  const { workouts, traces, days } = await storedAfter([recordsOf({ activities: [summary] })]);
  expect(workouts).toMatchObject([{ sourceId: '14229628', name: 'Long ride', avgHeartRate: 138, maxHeartRate: 171 }]);
  expect(traces).toEqual([null]);
  expect(days['2026-03-11']).toMatchObject({ cycling: 112.3405 });
});

test('a summary that arrives after the details leaves their trace, and an edit in it counts', async () => {
  const details = recordsOf({ activityDetails: [detailsOf(60)] });
  const { workouts, traces } = await storedAfter([details, recordsOf({ manuallyUpdatedActivities: [edited] })]);
  expect(workouts.map(({ name }) => name)).toEqual(['Over the pass']);
  expect(traces.map((trace) => trace?.length)).toEqual([60]);
});

test('summary and details, in any order and repeated, are one workout that counts once', async () => {
  const pushes = [recordsOf({ activities: [summary] }), recordsOf({ activityDetails: [detailsOf(60)] })];
  const once = await storedAfter(pushes);
  expect(once.workouts.length).toBe(1);
  expect(once.traces.map((trace) => trace?.length)).toEqual([60]);
  const orders = fc.array(fc.nat({ max: 1 }), { minLength: 2, maxLength: 6 }).filter((order) => order.includes(1));
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      expect(await storedAfter(order.flatMap((at) => pushes[at] ?? []))).toEqual(once);
    }),
    { numRuns: 40 },
  );
});
