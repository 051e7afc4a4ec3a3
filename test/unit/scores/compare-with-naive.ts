// The scores of random histories, compared with a naive implementation of their description.
import { expect, test } from 'vitest';
import { scoreIds } from '../../../shared/catalog/score-ids.ts';
import { createScorer } from '../../../shared/scores/day-scores.ts';
import type { JudgedScore } from '../../../shared/scores/scoring.ts';
import { today } from './days.ts';
import { hasValue, type NaiveOutcome, type NaiveScore } from './naive-score.ts';
import { naiveScores } from './naive-scores.ts';
import { ageToday, anyHistory, asDays } from './random-history.ts';

/** Everything that a score states, exact values before measured ones. */
interface Statement {
  exact: unknown;
  measured: number[];
}
const none = -1;

const statementOf = ({ value, confidence, factors }: JudgedScore): Statement => ({
  exact: [
    value,
    confidence,
    factors.map(({ name, contribution, direction, days }) => [name, contribution, direction, days]),
  ],
  measured: factors.flatMap(({ points, weight, z = none, usual = none }) => [points, weight, z, usual]),
});
const expectedStatement = ({ value, confidence, factors }: NaiveScore): Statement => ({
  exact: [value, confidence, factors.map(({ name, contribution, direction, n }) => [name, contribution, direction, n])],
  measured: factors.flatMap(({ points, share, z = none, usual = none }) => [points, share, z, usual]),
});
const alike = (a: Statement, b: Statement): boolean =>
  JSON.stringify(a.exact) === JSON.stringify(b.exact) &&
  a.measured.every((number, at) => Math.abs(number - (b.measured[at] ?? Number.NaN)) < 1e-6);

const kindOf = (outcome: NaiveOutcome): string =>
  hasValue(outcome) ? outcome.confidence : (outcome.reason ?? outcome.status);
/** The outcomes that must occur for the comparison to mean something. */
const kinds = [
  ...['low', 'medium', 'high', 'calibrating'],
  ...['no_data', 'no_main_sleep', 'log_incomplete', 'not_worn', 'too_few_nutrients', 'no_strain'],
  ...['under_18', 'under_1'],
];

export function testAgainstNaive(histories: number): void {
  test('every score of any history matches its description, or is missing for the described reason', () => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < histories; seed++) {
      const { days, profile } = anyHistory(seed);
      const wanted = naiveScores(days, {
        age: ageToday(profile),
        weightKg: profile.weight_kg ?? null,
        heightCm: profile.height_cm ?? null,
        hasNight: seed % 2 === 0,
      });
      const { scores, without } = createScorer(asDays(days), profile, () => seed % 2 === 0).scoreDay(today);
      for (const id of scoreIds) {
        const score = scores.get(id);
        const other = wanted[id];
        if (!score || !hasValue(other)) expect(score ?? without.get(id), `${id} of history ${seed}`).toEqual(other);
        else if (!alike(statementOf(score), expectedStatement(other)))
          expect(statementOf(score), `${id} of history ${seed}`).toEqual(expectedStatement(other));
        seen.set(kindOf(other), (seen.get(kindOf(other)) ?? 0) + 1);
      }
    }
    for (const kind of kinds) expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0);
  }, 120_000);
}
