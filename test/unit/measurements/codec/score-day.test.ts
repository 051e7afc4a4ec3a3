import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { scoreTable } from '../../../../shared/catalog/score-table.ts';
import { packScores, unpackScores } from '../../../../shared/measurements/codec/score-day.ts';
import { directions, type Score, type ScoreFactor } from '../../../../shared/measurements/score.ts';

type Value = Pick<Score, 'value' | 'factors'>;

const score = (names: readonly ScoreFactor['name'][]): fc.Arbitrary<Value> =>
  fc.record({
    value: fc.integer({ min: 0, max: 100 }),
    factors: fc.subarray([...names]).chain((some) =>
      fc.tuple(
        ...some.map((name) =>
          fc.record({
            name: fc.constant(name),
            contribution: fc.integer({ min: 0, max: 100 }),
            direction: fc.constantFrom(...directions),
          }),
        ),
      ),
    ),
  });
const day = fc
  .tuple(...scoreTable.map(({ factors }) => fc.option(score(factors.map(({ name }) => name)))))
  .map((scores) => {
    const present = new Map<ScoreId, Value>();
    for (const [at, row] of scoreTable.entries()) {
      const each = scores[at];
      if (each) present.set(row.id, each);
    }
    return present;
  });

test('a day of scores decodes to what was encoded, in under a hundred bytes', () => {
  fc.assert(
    fc.property(day, (scores) => {
      const packed = packScores(scores);
      expect(unpackScores(packed)).toEqual(scores);
      expect(packed.length).toBeLessThan(100);
    }),
  );
});

test('the bytes of a day of scores keep their meaning', () => {
  const scores = new Map<ScoreId, Value>([
    ['sleep_score', { value: 81, factors: [{ name: 'efficiency', contribution: 81, direction: 'positive' }] }],
    [
      'energy_reserve_score',
      { value: 7, factors: [{ name: 'effort_before', contribution: 7, direction: 'negative' }] },
    ],
  ]);
  expect(Buffer.from(packScores(scores)).toString('hex')).toBe('51' + '00510104' + '51' + '050701' + '0a07');
});

test('no two scores, and no two factors of one, share an index', () => {
  expect(new Set(scoreTable.map(({ index }) => index)).size).toBe(scoreTable.length);
  for (const { factors } of scoreTable)
    expect(new Set(factors.map(({ index }: { index: number }) => index)).size).toBe(factors.length);
});

test.each([['ff'], ['51'.repeat(2)], ['51005101'], ['510051013c51']])('bytes %s are rejected', (hex) => {
  expect(() => unpackScores(Buffer.from(hex, 'hex'))).toThrow();
});
