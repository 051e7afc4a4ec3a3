import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sleepStages } from '../../../shared/catalog/sleep-stages.ts';
import { computeStageMinutes, separateOverlapping } from '../../../shared/measurements/sleep-stages.ts';

const arbitraryPeriods = fc.array(
  fc
    .record({
      stage: fc.constantFrom(...sleepStages),
      startMs: fc.integer({ min: 0, max: 40 }),
      length: fc.integer({ min: 1, max: 12 }),
    })
    .map(({ stage, startMs, length }) => ({ stage, startMs, endMs: startMs + length })),
  { maxLength: 15 },
);

test('no accepted period shares a moment with another, and each one left out shares one with an earlier one', () => {
  fc.assert(
    fc.property(arbitraryPeriods, (periods) => {
      const { accepted, overlapping } = separateOverlapping(periods);
      expect(new Set([...accepted, ...overlapping])).toEqual(new Set(periods));
      expect(accepted.length + overlapping.length).toBe(periods.length);
      for (let moment = 0; moment < 60; moment++)
        expect(accepted.filter(({ startMs, endMs }) => startMs <= moment && moment < endMs).length).toBeLessThanOrEqual(
          1,
        );
      for (const period of overlapping)
        expect(accepted.some(({ startMs, endMs }) => startMs <= period.startMs && period.startMs < endMs)).toBe(true);
      expect(accepted.map(({ startMs }) => startMs)).toEqual(
        accepted.map(({ startMs }) => startMs).sort((a, b) => a - b),
      );
    }),
  );
});

test('of two periods that begin together, the first in the list is accepted', () => {
  const [first, second] = [
    { stage: 'deep', startMs: 0, endMs: 9 },
    { stage: 'rem', startMs: 0, endMs: 3 },
  ];
  expect(separateOverlapping([first, second])).toEqual({ accepted: [first], overlapping: [second] });
});

test('the minutes of a stage are the sum of its periods, and null if it does not occur', () => {
  const minuteMs = 60_000;
  const stage = (name: (typeof sleepStages)[number], from: number, to: number) => ({
    stage: name,
    startMs: from * minuteMs,
    endMs: to * minuteMs,
  });
  expect(computeStageMinutes([])).toEqual({
    asleepMinutes: null,
    deepMinutes: null,
    lightMinutes: null,
    remMinutes: null,
    awakeMinutes: null,
  });
  expect(
    computeStageMinutes([
      stage('awake', 0, 5),
      stage('light', 5, 30.5),
      stage('deep', 30.5, 50),
      stage('light', 50, 60),
      stage('asleep', 60, 61),
      stage('out_of_bed', 61, 63),
      stage('unknown', 63, 99),
    ]),
  ).toEqual({ asleepMinutes: 56, deepMinutes: 19.5, lightMinutes: 35.5, remMinutes: null, awakeMinutes: 7 });
});
