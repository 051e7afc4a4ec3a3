// A sleep arrives as an interim version and as the final one, in an undocumented order.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import { normalizeSuunto } from '../../../../shared/providers/suunto/normalize.ts';
import { createProviderDevice, type DeviceData } from '../../../harness/provider-device.ts';

const start = '2026-05-12T23:05:00.000+02:00';
const end = '2026-05-13T06:50:00.000+02:00';
const receivedMs = Date.parse('2026-05-20T00:00:00Z');

const versionOf = (entryData: object) => ({
  timestamp: start,
  entryData: { SleepId: 1_778_619_900, DateTime: start, BedtimeStart: start, ...entryData },
});
const zeros = {
  DeepSleepDuration: 0.0,
  LightSleepDuration: 0.0,
  REMSleepDuration: 0.0,
  SleepOnsetLatencyDuration: 0,
  WakeAfterSleepOnsetDuration: 0,
  WakeBeforeOffBedDuration: 0,
  HRAvg: 0.0,
  HRMin: 0.0,
  AvgHRV: 0,
};
const begun = versionOf({ BedtimeEnd: start, Duration: 0.0, ...zeros, IsNap: true });
const nap = versionOf({ BedtimeEnd: '2026-05-12T23:40:00.000+02:00', Duration: 2100.0, ...zeros, IsNap: true });
const night = versionOf({ BedtimeEnd: end, Duration: 27_900.0, ...zeros, HRAvg: 61.0, HRMin: 55.0, IsNap: false });
const final = versionOf({
  BedtimeEnd: end,
  Duration: 27_900.0,
  DeepSleepDuration: 5400.0,
  LightSleepDuration: 16_500.0,
  REMSleepDuration: 5100.0,
  SleepOnsetLatencyDuration: 540,
  WakeAfterSleepOnsetDuration: 600,
  WakeBeforeOffBedDuration: 120,
  HRAvg: 58.0,
  HRMin: 49.0,
  AvgHRV: 51,
  IsNap: false,
});

type RequestedDays = { from: string; to: string } | null;
const window = { from: '2026-05-11', to: '2026-05-14' };

function recordsOf(requested: RequestedDays, versions: readonly object[]): Records {
  const pages = [
    { resource: 'sleep', text: JSON.stringify(versions) },
    ...(requested ? [{ resource: 'activity', text: '[]' }] : []),
  ];
  const raw = Buffer.from(JSON.stringify({ requested, pages }));
  return normalizeSuunto(raw, { receivedMs, scopes: [], timeZone: null }).records;
}

/** Clears the ids, which differ between users. */
async function readAfter(batches: readonly Records[]): Promise<DeviceData> {
  const device = await createProviderDevice();
  for (const batch of batches) await device.ingest(batch);
  const result = await device.read();
  return { ...result, sleep: result.sleep.map((session) => ({ ...session, id: '' })) };
}

test('an interim version has no stages and no daily values, because its zeros were not measured', () => {
  const { sleep, daily, samples } = recordsOf(null, [night]);
  expect(sleep).toEqual([
    {
      startMs: Date.parse(start),
      endMs: Date.parse(end),
      offsetMinutes: 120,
      sourceId: '1778619900',
      asleepMinutes: null,
      deepMinutes: null,
      lightMinutes: null,
      remMinutes: null,
      awakeMinutes: null,
      inBedMinutes: 465,
      summary: { sleep_latency: null, sleep_heart_rate: null, sleep_heart_rate_variability: null },
      interim: true,
    },
  ]);
  expect([daily, samples]).toEqual([[], []]);
});

test('a sleep that has only just begun is not a session, and is not rejected', () => {
  const raw = Buffer.from(
    JSON.stringify({ requested: null, pages: [{ resource: 'sleep', text: JSON.stringify([begun]) }] }),
  );
  const { records, rejected } = normalizeSuunto(raw, { receivedMs, scopes: [], timeZone: null });
  expect(records.sleep).toEqual([]);
  expect(rejected.count).toBe(0);
});

test('a nap in the next push does not replace the night of the same SleepId', async () => {
  const { sleep, days } = await readAfter([recordsOf(null, [final]), recordsOf(null, [nap])]);
  expect(sleep.map(({ date, asleepMinutes }) => [date, asleepMinutes])).toEqual([['2026-05-13', 450]]);
  expect(days['2026-05-13']).toMatchObject({
    asleep: 450,
    time_in_bed: 465,
    sleep_latency: 9,
    sleep_heart_rate: 58,
    sleep_heart_rate_variability: 51,
    min_heart_rate: 49,
  });
  expect(Object.keys(days)).toEqual(['2026-05-13']);
});

test('a window that lists only the interim version retracts neither the night nor its daily values', async () => {
  const once = await readAfter([recordsOf(null, [final])]);
  for (const interim of [begun, nap, night])
    expect(await readAfter([recordsOf(null, [final]), recordsOf(window, [interim])])).toEqual(once);
});

test('a window that lists no version of the sleep retracts it', async () => {
  const { sleep } = await readAfter([recordsOf(null, [final]), recordsOf(window, [])]);
  expect(sleep).toEqual([]);
});

test('a later version with stages replaces an earlier one', async () => {
  const edited = { ...final, entryData: { ...final.entryData, DeepSleepDuration: 4800.0 } };
  const { sleep } = await readAfter([
    recordsOf(null, [final]),
    recordsOf(null, [nap, edited]),
    recordsOf(null, [night]),
  ]);
  expect(sleep.map(({ asleepMinutes }) => asleepMinutes)).toEqual([440]);
});

test('the most complete version wins in any order, and in any pushes and windows', async () => {
  const once = await readAfter([recordsOf(null, [final])]);
  const versions = fc
    .tuple(
      fc.shuffledSubarray([begun, nap, night], { minLength: 1 }),
      fc.nat({ max: 3 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    )
    .map(([interim, at, ends, hasWindow]) => {
      const order = interim.toSpliced(Math.min(at, interim.length), 0, final);
      const batches: { requested: RequestedDays; versions: object[] }[] = [];
      for (const [index, version] of order.entries()) {
        const last = batches.at(-1);
        if (last && !ends[index]) last.versions.push(version);
        else batches.push({ requested: hasWindow[index] ? window : null, versions: [version] });
      }
      return batches;
    });
  await fc.assert(
    fc.asyncProperty(versions, async (batches) => {
      const result = await readAfter(batches.map(({ requested, versions: own }) => recordsOf(requested, own)));
      expect(result).toEqual(once);
    }),
    { numRuns: 60 },
  );
});

test('the last of two interim versions in one response counts', () => {
  expect(recordsOf(null, [nap, night]).sleep).toMatchObject([{ endMs: Date.parse(end) }]);
});

test('the days around an interim version are covered except for their nights', () => {
  const { covered } = recordsOf(window, [night]);
  const claims = covered?.filter(({ from, to }) => from <= '2026-05-13' && to >= '2026-05-13');
  expect(claims?.map(({ sleep, samples }) => [sleep, samples?.includes('steps')])).toEqual([[undefined, true]]);
});
