// Pushes that were not accepted at first arrive later, after newer ones. Zeros can mean that
// nothing was measured.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';
import { createProviderDevice } from '../../../harness/provider-device.ts';

function recordsOf(lists: object): Records {
  const raw = Buffer.from(
    JSON.stringify({ requested: null, pages: [{ resource: 'push', text: JSON.stringify(lists) }] }),
  );
  return normalizeGarmin(raw, { receivedMs: Date.parse('2026-03-12T00:00:00Z'), scopes: [], timeZone: null }).records;
}

const tentative = {
  userId: 'ada',
  summaryId: 'n1',
  calendarDate: '2026-03-11',
  startTimeInSeconds: 1_773_180_000,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: 18_000,
  deepSleepDurationInSeconds: 3600,
  lightSleepDurationInSeconds: 14_400,
  remSleepInSeconds: 0,
  awakeDurationInSeconds: 0,
  validation: 'ENHANCED_TENTATIVE',
};
const final = {
  ...tentative,
  durationInSeconds: 26_400,
  lightSleepDurationInSeconds: 15_600,
  remSleepInSeconds: 7200,
  validation: 'ENHANCED_FINAL',
};

test('a final night wins in any order of its versions, in one push or in several', async () => {
  const orders = fc.tuple(fc.shuffledSubarray([tentative, final, tentative], { minLength: 3 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(orders, async ([versions, isOnePush]) => {
      const device = await createProviderDevice();
      const pushes = isOnePush ? [versions] : versions.map((version) => [version]);
      for (const sleeps of pushes) await device.ingest(recordsOf({ sleeps }));
      const { sleep, days } = await device.read();
      expect(sleep.map(({ asleepMinutes }) => asleepMinutes)).toEqual([440]);
      expect(days['2026-03-11']).toMatchObject({ asleep: 440, time_in_bed: 440 });
    }),
    { numRuns: 20 },
  );
});

test('a tentative night counts until the final one arrives, and a later final one replaces that', async () => {
  const device = await createProviderDevice();
  await device.ingest(recordsOf({ sleeps: [tentative] }));
  expect((await device.read()).sleep.map(({ asleepMinutes }) => asleepMinutes)).toEqual([300]);
  await device.ingest(recordsOf({ sleeps: [final] }));
  await device.ingest(recordsOf({ sleeps: [{ ...final, deepSleepDurationInSeconds: 3000 }] }));
  expect((await device.read()).sleep.map(({ asleepMinutes }) => asleepMinutes)).toEqual([430]);
});

test('the last of two final versions in one push counts', () => {
  const revised = { ...final, deepSleepDurationInSeconds: 3000 };
  expect(recordsOf({ sleeps: [final, revised] }).sleep).toMatchObject([{ asleepMinutes: 430 }]);
});

test('a night that was entered manually has no stages, and their zeros are not read as time asleep', () => {
  const { sleep } = recordsOf({
    sleeps: [
      {
        ...final,
        deepSleepDurationInSeconds: 0,
        lightSleepDurationInSeconds: 0,
        remSleepInSeconds: 0,
        validation: 'MANUAL',
      },
    ],
  });
  expect(sleep).toMatchObject([
    { asleepMinutes: null, deepMinutes: null, lightMinutes: null, remMinutes: null, inBedMinutes: 440 },
  ]);
});

test('the heart rate variability of a night is the one sent last, though the night has grown since', async () => {
  const device = await createProviderDevice();
  const { validation: _, ...hrv } = { ...tentative, lastNightAvg: 47 };
  await device.ingest(recordsOf({ hrv: [hrv] }));
  await device.ingest(recordsOf({ hrv: [{ ...hrv, durationInSeconds: 26_400, lastNightAvg: 51 }] }));
  expect((await device.read()).days['2026-03-11']).toEqual({ sleep_heart_rate_variability: 51 });
});

const daily = (durationInSeconds: number, steps: number, bmrKilocalories = 1000) => ({
  userId: 'ada',
  summaryId: `d${durationInSeconds}`,
  calendarDate: '2026-03-11',
  startTimeInSeconds: 1_773_183_600,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds,
  steps,
  activeKilocalories: 200,
  bmrKilocalories,
});

test('the version of a day that covers most of the day counts, at any place in the push', () => {
  for (const dailies of [
    [daily(86_400, 8420), daily(43_200, 3100)],
    [daily(43_200, 3100), daily(86_400, 8420)],
    [daily(86_400, 8400), daily(86_400, 8420)],
  ])
    expect(recordsOf({ dailies }).daily.find(({ metric }) => metric === 'steps')?.value).toBe(8420);
});

test('resting energy of zero counts as not measured, and then there is no total', () => {
  const metrics = recordsOf({ dailies: [daily(86_400, 8420, 0)] }).daily.map(({ metric }) => metric);
  expect(metrics).toEqual(['steps', 'active_calories']);
});

test('zero calories and zero steps of a workout count as not measured', () => {
  const activity = { summaryId: '5', activityId: 5, activityType: 'YOGA', startTimeInSeconds: 1_773_216_000 };
  const { workouts } = recordsOf({
    activities: [{ userId: 'ada', ...activity, durationInSeconds: 3600, activeKilocalories: 0, steps: 0 }],
  });
  expect(workouts).toMatchObject([{ calories: null, steps: null }]);
});
