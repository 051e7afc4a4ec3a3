import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeExampleOutcome } from '../../../../../functions/api/guides/scores/compute-example-outcome.ts';
import {
  type ExampleInput,
  type ExampleValues,
  scoreExamples,
} from '../../../../../functions/api/guides/scores/score-examples.ts';
import { type ScoreId, scoreIds } from '../../../../../shared/catalog/score-ids.ts';
import { missingReasons, notApplicableReasons } from '../../../../../shared/catalog/score-states.ts';
import { isScored } from '../../../../../shared/scores/scoring.ts';

const anyPosition = ({ min, max, step, optional }: ExampleInput): fc.Arbitrary<number | null> => {
  const positions = fc
    .integer({ min: 0, max: Math.round((max - min) / step) })
    .map((at) => Number((min + at * step).toFixed(6)));
  return optional ? fc.option(positions, { freq: 6 }) : positions;
};
const anyValues = (id: ScoreId): fc.Arbitrary<ExampleValues> =>
  fc.record(Object.fromEntries(scoreExamples[id].inputs.map((input) => [input.name, anyPosition(input)])));

describe('an example on the scores page', () => {
  test.each(scoreIds)('of %s has cases that its sliders can show, with every input set', (id) => {
    const { inputs, cases } = scoreExamples[id];
    for (const { values } of cases) {
      expect(Object.keys(values).toSorted()).toEqual(inputs.map(({ name }) => name).toSorted());
      for (const { name, min, max, step, optional } of inputs) {
        const value = values[name] ?? null;
        if (value === null) expect(optional).toBe(true);
        else {
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(max);
          expect(((value - min) / step) % 1).toBeCloseTo(0, 6);
        }
      }
    }
  });

  test('can show every reason why a day has no score', () => {
    const reasons = scoreIds.flatMap((id) =>
      fc.sample(anyValues(id), { numRuns: 2000, seed: 7 }).flatMap((values) => {
        const outcome = computeExampleOutcome(id, values);
        return 'reason' in outcome ? [outcome.reason] : [];
      }),
    );
    expect(new Set(reasons)).toEqual(new Set([...missingReasons, ...notApplicableReasons]));
  });
});

const exampleValue = (id: ScoreId, title: string) => {
  const found = scoreExamples[id].cases.find((each) => each.title === title);
  const outcome = found && computeExampleOutcome(id, found.values);
  return outcome && isScored(outcome) ? outcome.value : outcome;
};

test.each([
  [
    'sleep_score',
    'A flat battery: only a nap of 40 minutes was recorded',
    { status: 'missing', reason: 'no_main_sleep' },
  ],
  ['recovery_score', 'Five quiet nights, then 44 ms and 60 bpm', 51],
  ['recovery_score', 'A resting heart rate of 58 for 28 days, then 61; nothing else', 16],
  ['recovery_score', 'A resting heart rate of 69, no variability, a good night', 27],
  ['recovery_score', 'The second night of a new device', { status: 'calibrating', days: 1, needed: 5 }],
  ['strain_score', 'A desk worker walks for half an hour', 68],
  [
    'nutrition_score',
    'One snack of 200 kcal, and nothing else logged',
    { status: 'missing', reason: 'log_incomplete' },
  ],
  ['nutrition_score', 'The food log of an eight-year-old', { status: 'not_applicable', reason: 'under_18' }],
  ['stress_score', 'A usual night', 15],
] as const)('%s: %s', (id, title, expected) => {
  expect(exampleValue(id, title)).toEqual(expected);
});
