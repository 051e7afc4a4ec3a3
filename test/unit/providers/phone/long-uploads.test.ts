// Uploads of more days than one chunk holds, and records at the limits of what is plausible.
import { describe, expect, test } from 'vitest';
import { MobileScope } from '../../../../shared/catalog/mobile-scopes.ts';
import { normalizeUpload } from '../../../../shared/providers/phone/normalize.ts';
import { readOffset } from '../../../../shared/providers/phone/read-time.ts';
import { readUpload } from '../../../../shared/providers/phone/read-upload.ts';
import { splitUpload } from '../../../../shared/providers/phone/split-upload.ts';
import type { UploadBody } from '../../../../shared/providers/phone/upload.ts';
import { uploadBody } from '../../../harness/upload-body.ts';

const nowMs = Date.parse('2026-03-14T12:00:00Z');
const scopes = MobileScope.options;
const day = (n: number) => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10);
const weight = (date: string) => ({ date, metric: 'weight', value: 70, unit: 'kg' });
const problems = (more: Partial<UploadBody>) =>
  readUpload(uploadBody(more), { scopes, nowMs }).rejected.first.map(({ path, code }) => `${path} ${code}`);

test.each([401, 800, 801, 1_200])(
  '%i days are split at every 400th, and each record is in the chunk of its day',
  (days) => {
    const records = uploadBody({ daily: Array.from({ length: days }, (_none, n) => weight(day(n))) });
    const cut = splitUpload(records).map((part) => [part.from, part.to, part.records.daily.length]);
    const wanted = Array.from({ length: Math.ceil(days / 400) }, (_none, at) => {
      const last = Math.min(days, (at + 1) * 400);
      return [day(at * 400), day(last - 1), last - at * 400];
    });
    expect(cut).toEqual(wanted);
  },
);

describe('a record', () => {
  test('of a year before the first is rejected, and one of that year is not', () => {
    expect(problems({ daily: [weight('1999-12-31'), weight('2000-01-01')] })).toEqual(['daily.0.date invalid_time']);
  });

  test('with a point of its trace after its end leaves that point out', () => {
    const workout = {
      type: 'running',
      start: '2026-03-14T05:00:00Z',
      end: '2026-03-14T06:00:00Z',
      heart_rate: [
        { timestamp: '2026-03-14T06:05:00Z', bpm: 100 },
        { timestamp: '2026-03-14T06:05:01Z', bpm: 100 },
        { timestamp: '2026-03-14T04:55:00Z', bpm: 100 },
        { timestamp: '2026-03-14T04:54:59Z', bpm: 100 },
      ],
    };
    expect(problems({ workouts: [workout] })).toEqual([
      'workouts.0.heart_rate.1.timestamp invalid_time',
      'workouts.0.heart_rate.3.timestamp invalid_time',
    ]);
  });
});

test('a replayed upload is validated against the time it arrived', () => {
  const raw = Buffer.from(JSON.stringify(uploadBody({ daily: [weight('2026-03-14'), weight('2026-03-16')] })));
  const { records, rejected } = normalizeUpload(raw, { receivedMs: nowMs, scopes, timeZone: null });
  expect([records.daily.map(({ date }) => date), rejected.count]).toEqual([['2026-03-14'], 1]);
});

test('an offset of zero is zero with either sign', () => {
  expect(readOffset('-00:00')).toBe(0);
});
