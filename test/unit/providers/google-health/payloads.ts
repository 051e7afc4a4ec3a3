// Responses as Google documents them and as others have recorded them, for a user in Tokyo.
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';

export const page = (resource: string, dataPoints: readonly unknown[], parameter?: string): ProviderPage => ({
  resource,
  text: JSON.stringify(dataPoints.length === 0 ? {} : { dataPoints }),
  ...(parameter === undefined ? {} : { parameter }),
});
export const totals = (type: string, rollupDataPoints: readonly unknown[]): ProviderPage => ({
  resource: type,
  text: JSON.stringify({ rollupDataPoints }),
});

const civil = (day: number) => ({ date: { year: 2026, month: 3, day }, time: {} });
export const total = (day: number, value: object) => ({
  civilStartTime: civil(day),
  civilEndTime: civil(day + 1),
  ...value,
});

const stage = (type: string, startTime: string, endTime: string) => ({
  startTime: `2026-03-04T${startTime}:00Z`,
  endTime: `2026-03-04T${endTime}:00Z`,
  type,
});

/** From 00:10 to 07:40 on the 5th in Tokyo. */
export const night = {
  dataPointName: 'users/1/dataTypes/sleep/dataPoints/880',
  sleep: {
    interval: {
      startTime: '2026-03-04T15:10:00Z',
      startUtcOffset: '32400s',
      endTime: '2026-03-04T22:40:00Z',
      endUtcOffset: '32400s',
    },
    type: 'STAGES',
    stages: [
      stage('AWAKE', '15:10', '15:20'),
      stage('LIGHT', '15:20', '17:50'),
      stage('DEEP', '17:50', '18:50'),
      stage('REM', '18:50', '20:20'),
      stage('LIGHT', '20:20', '22:30'),
      stage('AWAKE', '22:30', '22:40'),
    ],
    metadata: { stagesStatus: 'SUCCEEDED', processed: true, mainSleep: true },
    summary: {
      minutesInSleepPeriod: '450',
      minutesAsleep: '430',
      minutesAwake: '20',
      minutesToFallAsleep: '0',
      stagesSummary: [
        { type: 'DEEP', minutes: '60', count: '1' },
        { type: 'DEEP', minutes: '60', count: '1' },
      ],
    },
    updateTime: '2026-03-04T23:00:00.123456Z',
  },
};

/** Half an hour in the afternoon of the 5th, of the classic type. */
export const nap = {
  dataPointName: 'users/1/dataTypes/sleep/dataPoints/881',
  sleep: {
    interval: { startTime: '2026-03-05T05:00:00Z', endTime: '2026-03-05T05:30:00Z', endUtcOffset: '32400s' },
    type: 'CLASSIC',
    stages: [
      { startTime: '2026-03-05T05:00:00Z', endTime: '2026-03-05T05:04:00Z', type: 'RESTLESS' },
      { startTime: '2026-03-05T05:04:00Z', endTime: '2026-03-05T05:28:00Z', type: 'ASLEEP' },
      { startTime: '2026-03-05T05:28:00Z', endTime: '2026-03-05T05:30:00Z', type: 'AWAKE' },
    ],
    metadata: { nap: true },
    updateTime: '2026-03-05T06:00:00Z',
  },
};

/** An hour of walking, with pauses, from 18:00 to 19:10 in Tokyo. */
export const walk = {
  dataPointName: 'users/1/dataTypes/exercise/dataPoints/77',
  exercise: {
    interval: {
      startTime: '2026-03-05T09:00:00Z',
      startUtcOffset: '32400s',
      endTime: '2026-03-05T10:10:00Z',
      endUtcOffset: '32400s',
      civilStartTime: { date: { year: 2026, month: 3, day: 5 }, time: { hours: 18 } },
    },
    exerciseType: 'WALKING',
    displayName: 'Walk',
    activeDuration: '3633.600s',
    metricsSummary: {
      caloriesKcal: 542,
      distanceMillimeters: 3248500,
      steps: '4699',
      averageHeartRateBeatsPerMinute: '126',
      elevationGainMillimeters: 21500,
    },
    updateTime: '2026-03-05T10:20:00Z',
  },
};

export const beat = (physicalTime: string, beatsPerMinute: unknown) => ({
  heartRate: { sampleTime: { physicalTime, utcOffset: '32400s' }, beatsPerMinute },
});
