// The stored stages of a night follow its versions, whichever provider sends them.
import { expect, test } from 'vitest';
import type { ProviderPage } from '../../../shared/providers/kit/provider-pages.ts';
import { createProviderDevice } from '../../harness/provider-device.ts';
import { normalizePages } from '../../harness/request-flow.ts';
import { listStoredStages } from '../../harness/stored-stages.ts';

const startMs = Date.parse('2026-03-04T22:00:00Z');
const requested = { from: '2026-03-05', to: '2026-03-05' };

/** A night from its start, with a stage for every hour. */
interface Version {
  startMs: number;
  stages: readonly ('light' | 'deep' | 'rem')[] | null;
}

const hourMs = 3_600_000;
const listHours = (version: Version) =>
  (version.stages ?? []).map((stage, at) => ({
    stage,
    startMs: version.startMs + at * hourMs,
    endMs: version.startMs + (at + 1) * hourMs,
  }));
const endMs = startMs + 8 * hourMs;
const toIso = (ms: number): string => new Date(ms).toISOString();
const ouraDigits = { light: '2', deep: '1', rem: '3' };

/** The id of a night stays the same in all of its versions. */
const providers = {
  oura: (version: Version): ProviderPage => ({
    resource: 'sleep',
    text: JSON.stringify({
      data: [
        {
          id: 'n1',
          day: '2026-03-05',
          type: 'long_sleep',
          bedtime_start: toIso(version.startMs),
          bedtime_end: toIso(endMs),
          total_sleep_duration: 20_000,
          sleep_phase_5_min: version.stages?.map((stage) => ouraDigits[stage].repeat(12)).join('') ?? null,
        },
      ],
      next_token: null,
    }),
  }),
  garmin: (version: Version): ProviderPage => ({
    resource: 'push',
    text: JSON.stringify({
      sleeps: [
        {
          userId: 'ada',
          summaryId: 'n1',
          calendarDate: '2026-03-05',
          startTimeInSeconds: version.startMs / 1000,
          durationInSeconds: (endMs - version.startMs) / 1000,
          validation: 'ENHANCED_FINAL',
          sleepLevelsMap:
            version.stages &&
            Object.groupBy(
              listHours(version).map((each) => ({
                stage: each.stage,
                startTimeInSeconds: each.startMs / 1000,
                endTimeInSeconds: each.endMs / 1000,
              })),
              ({ stage }) => stage,
            ),
        },
      ],
    }),
  }),
  google_health: (version: Version): ProviderPage => ({
    resource: 'sleep',
    text: JSON.stringify({
      dataPoints: [
        {
          dataPointName: 'users/1/dataTypes/sleep/dataPoints/880',
          sleep: {
            interval: { startTime: toIso(version.startMs), endTime: toIso(endMs) },
            summary: { minutesAsleep: '420', minutesAwake: '20' },
            stages:
              version.stages &&
              listHours(version).map((each) => ({
                startTime: toIso(each.startMs),
                endTime: toIso(each.endMs),
                type: each.stage.toUpperCase(),
              })),
          },
        },
      ],
    }),
  }),
} as const;

test.each(['oura', 'garmin', 'google_health'] as const)(
  'an edited night of %s has its new stages, and a version without stages has none',
  async (provider) => {
    const device = await createProviderDevice();
    const ingest = (version: Version) =>
      device.ingest(normalizePages(provider, [providers[provider](version)], { requested }).records);
    const first: Version = { startMs, stages: ['light', 'deep', 'rem'] };
    await ingest(first);
    expect(await listStoredStages(device.deps, device.userId)).toEqual([listHours(first)]);
    const edited: Version = { startMs: startMs + hourMs, stages: ['deep', 'light'] };
    await ingest(edited);
    expect(await listStoredStages(device.deps, device.userId)).toEqual([listHours(edited)]);
    await ingest({ ...edited, stages: null });
    expect(await listStoredStages(device.deps, device.userId)).toEqual([null]);
    await ingest(first);
    expect(await listStoredStages(device.deps, device.userId)).toEqual([listHours(first)]);
  },
);

test('a tentative night of Garmin keeps its stages until the final one arrives, and never replaces those', async () => {
  const device = await createProviderDevice();
  const ingest = (version: Version, validation: string) => {
    const page = providers.garmin(version);
    const text = page.text.replace('ENHANCED_FINAL', validation);
    return device.ingest(normalizePages('garmin', [{ ...page, text }], { requested }).records);
  };
  const tentative: Version = { startMs, stages: ['light'] };
  const final: Version = { startMs: startMs + hourMs, stages: ['deep', 'rem'] };
  await ingest(tentative, 'ENHANCED_TENTATIVE');
  expect(await listStoredStages(device.deps, device.userId)).toEqual([listHours(tentative)]);
  await ingest(final, 'ENHANCED_FINAL');
  await ingest(tentative, 'ENHANCED_TENTATIVE');
  expect(await listStoredStages(device.deps, device.userId)).toEqual([listHours(final)]);
});
