import { describe, expect, test } from 'vitest';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';

function normalized(lists: object) {
  const raw = Buffer.from(
    JSON.stringify({ requested: null, pages: [{ resource: 'push', text: JSON.stringify(lists) }] }),
  );
  return normalizeGarmin(raw, { receivedMs: Date.parse('2026-03-12T00:00:00Z'), scopes: [], timeZone: null });
}

describe('stress levels', () => {
  const details = {
    userId: 'ada',
    summaryId: 's',
    startTimeInSeconds: 1_773_187_200,
    startTimeOffsetInSeconds: 3_600,
    durationInSeconds: 540,
  };
  const levels = (timeOffsetStressLevelValues: object) => ({ ...details, timeOffsetStressLevelValues });

  test('are samples at the times of measurement, and negative values mean that nothing was measured', () => {
    const { records, rejected } = normalized({
      stressDetails: [levels({ '0': 18, '180': 51, '360': -1, '540': -2, '720': 0, '900': null, '1080': 100 })],
    });
    expect(rejected.count).toBe(0);
    const at = (seconds: number) => 1_773_187_200_000 + seconds * 1000;
    expect(records.samples.map(({ metric, startMs, endMs, value }) => [metric, startMs, endMs, value])).toEqual([
      ['stress_score', at(0), at(0), 18],
      ['stress_score', at(180), at(180), 51],
      ['stress_score', at(1080), at(1080), 100],
    ]);
    expect(records.samples.map(({ offsetMinutes }) => offsetMinutes)).toEqual([60, 60, 60]);
    expect(records.daily).toEqual([]);
  });

  test('with the same start are taken from the last version, and values over 100 are rejected', () => {
    const { records, rejected } = normalized({ stressDetails: [levels({ '0': 18 }), levels({ '0': 20, '180': 101 })] });
    expect(records.samples.map(({ value }) => value)).toEqual([20]);
    expect(rejected.first.map(({ code }) => code)).toEqual(['implausible_value']);
  });
});
