import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitUpload } from '../../../../shared/providers/phone/split-upload.ts';
import { uploadBody } from '../../../harness/upload-body.ts';

const day = (n: number) => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10);
const weight = (n: number) => ({ date: day(n), metric: 'weight', value: n, unit: 'kg' });
const beat = (n: number) => ({ metric: 'heart_rate', start: `${day(n)}T08:00:00+02:00`, value: 60, unit: 'bpm' });

test('an upload of few days stays as it is', () => {
  const records = uploadBody({ daily: Array.from({ length: 400 }, (_none, n) => weight(n)) });
  expect(splitUpload(records)).toEqual([{ records, from: day(0), to: day(399) }]);
});

test('an upload of 26 years is split into chunks of at most 400 days, with each record in one chunk and in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9_700), { minLength: 1, maxLength: 3_000, size: 'max' }),
      fc.array(fc.nat(9_700), { maxLength: 500, size: 'max' }),
      (weights, beats) => {
        const records = uploadBody({ daily: weights.map(weight), samples: beats.map(beat) });
        const stretches = splitUpload(records);
        const wanted = new Set([...weights, ...beats].map(day)).size;
        expect(stretches).toHaveLength(Math.max(1, Math.ceil(wanted / 400)));
        for (const [at, { records: some, from, to }] of stretches.entries()) {
          const days = [...some.daily, ...some.samples].map((each) =>
            String(Object(each).date ?? Object(each).start).slice(0, 10),
          );
          expect(new Set(days).size).toBeLessThanOrEqual(400);
          expect([days.toSorted()[0], days.toSorted().at(-1)]).toEqual([from, to]);
          expect(from > (stretches[at - 1]?.to ?? '')).toBe(true);
          expect(some).toMatchObject({ time_zone: records.time_zone, device: records.device });
          expect(some.daily).toEqual(records.daily.filter((each) => some.daily.includes(each)));
        }
        const count = (name: 'daily' | 'samples') =>
          stretches.reduce((sum, each) => sum + each.records[name].length, 0);
        expect([count('daily'), count('samples')]).toEqual([weights.length, beats.length]);
      },
    ),
    { numRuns: 30 },
  );
});
