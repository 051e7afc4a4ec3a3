// Details and traces are requested for a limited number of activities. A list that only names an
// activity retracts none of its data.
import { expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import { sessionRows } from '../../../../shared/measurements/rows/session-rows.ts';
import { normalizeStrava } from '../../../../shared/providers/strava/normalize.ts';
import { createProviderDevice } from '../../../harness/provider-device.ts';
import { trailRun, trailRunInFull } from './payloads.ts';

const requestedDays = { from: '2026-10-16', to: '2026-10-20' };
const listed = { resource: 'activities', text: JSON.stringify([trailRun]) };
const detail = { resource: 'activity', parameter: '16181800001', text: JSON.stringify(trailRunInFull) };
const streams = {
  resource: 'streams',
  parameter: '16181800001',
  text: JSON.stringify({ time: { data: [0, 60] }, heartrate: { data: [120, 140] } }),
};

function recordsOf(...pages: object[]): Records {
  const facts = { receivedMs: Date.parse('2026-10-25T00:00:00Z'), scopes: [], timeZone: null };
  return normalizeStrava(Buffer.from(JSON.stringify({ requested: requestedDays, pages })), facts).records;
}

async function storedWorkouts(...windows: Records[]) {
  const device = await createProviderDevice();
  for (const window of windows) await device.ingest(window);
  const rows = sessionRows(device.deps.store);
  const found: (readonly [number | null, number | undefined])[] = [];
  for await (const { sessions } of rows.workouts.iterateAll(device.userId))
    for (const { id, calories, trace } of sessions)
      found.push([calories, trace === null ? undefined : (await rows.findTrace(device.userId, id))?.length]);
  return found;
}

test('an activity that is only listed keeps the calories and the trace that were read before', async () => {
  const full = recordsOf(listed, detail, streams);
  expect(await storedWorkouts(full)).toEqual([[1530, 2]]);
  expect(await storedWorkouts(full, recordsOf(listed))).toEqual([[1530, 2]]);
  expect(await storedWorkouts(recordsOf(listed), full)).toEqual([[1530, 2]]);
});

test('a trace that Strava reports as missing is removed', async () => {
  const gone = recordsOf(listed, detail, { ...streams, text: '' });
  expect(await storedWorkouts(recordsOf(listed, detail, streams), gone)).toEqual([[1530, undefined]]);
});

test.each([
  ['listed without a heart rate', [{ has_heartrate: false }], true],
  ['read in full without the trace that it has', [{}, {}], true],
  ['read in full and without a heart rate', [{ has_heartrate: false }, { has_heartrate: false }], undefined],
])('an activity %s is an outline only if more of it is known elsewhere', (_what, [inList, inFull], outline) => {
  const pages = [
    { ...listed, text: JSON.stringify([{ ...trailRun, ...inList }]) },
    ...(inFull ? [{ ...detail, text: JSON.stringify({ ...trailRunInFull, ...inFull }) }] : []),
  ];
  expect(recordsOf(...pages).workouts.map((workout) => workout.outline)).toEqual([outline]);
});
