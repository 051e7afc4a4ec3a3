import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sleepStages } from '../../../../shared/catalog/sleep-stages.ts';
import { countPackedStages, packStages, unpackStages } from '../../../../shared/measurements/codec/sleep-stages.ts';
import type { StagePeriod } from '../../../../shared/measurements/records.ts';

const nightMs = Date.UTC(2026, 2, 13, 22, 41, 7, 13);

/** Gaps and lengths in milliseconds, one after another. */
const arbitraryStages = fc
  .array(
    fc.record({
      stage: fc.constantFrom(...sleepStages),
      gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_600_000 })),
      lengthMs: fc.oneof(
        fc.integer({ min: 1, max: 90_000_000 }),
        fc.integer({ min: 1, max: 200 }).map((n) => n * 30_000),
      ),
    }),
    { maxLength: 60 },
  )
  .map((parts) => {
    let atMs = nightMs;
    return parts.map(({ stage, gapMs, lengthMs }): StagePeriod => {
      const startMs = atMs + gapMs;
      atMs = startMs + lengthMs;
      return { stage, startMs, endMs: atMs };
    });
  });

test('stages are unpacked exactly as they were packed', () => {
  fc.assert(
    fc.property(arbitraryStages, (stages) => {
      expect(unpackStages(nightMs, packStages(nightMs, stages))).toEqual(stages);
    }),
  );
});

test('a usual night takes a few characters per stage', () => {
  const minuteMs = 60_000;
  const stages: StagePeriod[] = [
    { stage: 'light', startMs: nightMs, endMs: nightMs + 25 * minuteMs },
    { stage: 'deep', startMs: nightMs + 25 * minuteMs, endMs: nightMs + 40 * minuteMs },
    { stage: 'rem', startMs: nightMs + 41 * minuteMs, endMs: nightMs + 41 * minuteMs + 1_500 },
  ];
  expect(packStages(nightMs, stages)).toBe('1l1500d900_60r1.5');
});

test('fractions of a millisecond are rounded, and never written with an exponent', () => {
  const stages: StagePeriod[] = [{ stage: 'deep', startMs: 0.0004, endMs: 60_000.0004 }];
  expect(packStages(0, stages)).toBe('1_0d60');
});

test('stages that overlap, run backwards or begin before the night are not packed', () => {
  const stage = (startMs: number, endMs: number): StagePeriod => ({ stage: 'rem', startMs, endMs });
  for (const stages of [
    [stage(nightMs + 5, nightMs + 9), stage(nightMs + 8, nightMs + 10)],
    [stage(nightMs + 5, nightMs + 5)],
    [stage(nightMs + 5, nightMs + 4)],
    [stage(nightMs - 1, nightMs + 4)],
  ])
    expect(() => packStages(nightMs, stages)).toThrow('must follow one another');
});

test.each([
  ['another version', '2l60', 'version 2'],
  ['no version', 'l60', 'version l'],
  ['nothing', '', 'version '],
  ['an unknown letter', '1l60x60', 'contain x60'],
  ['a letter without a number', '1l60d', 'contain d'],
  ['characters between two stages', '1l60;d60', 'contain ;d60'],
  ['a number with two points', '1l6.0.5', 'contain .5'],
])('%s is an error, never another night', (_name, text, message) => {
  expect(() => unpackStages(nightMs, text)).toThrow(message);
});

test('stages are counted without unpacking them', () => {
  fc.assert(
    fc.property(arbitraryStages, (stages) => {
      expect(countPackedStages(packStages(nightMs, stages))).toBe(stages.length);
    }),
  );
});
