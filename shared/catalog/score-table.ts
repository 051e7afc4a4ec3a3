// The single table of every score: its name, which direction is better, the version of its formula,
// and its factors with their weights. Stored days contain indexes: a new row takes the next free
// index, and an index never changes its meaning. Increase the version with any change to an anchor,
// a weight, an input or a guard: every user's history is then rescored.
import type { ScoreId } from './score-ids.ts';

/** Which values are better; `none` if neither high nor low is. */
export const betterDirections = ['higher', 'lower', 'none'] as const;
type Better = (typeof betterDirections)[number];

interface ScoreSpec {
  index: number;
  id: ScoreId;
  displayName: string;
  /** Form 1 has every score; this says whether Form 2 has it too. */
  inForm2: boolean;
  better: Better;
  version: number;
  /** Today's value is not final until the day is over. */
  provisionalUntilMidnight: boolean;
  factors: readonly { index: number; name: string; weight: number }[];
}

const defineFactor = <const Name extends string>(index: number, name: Name, weight: number) => ({
  index,
  name,
  weight,
});

export const scoreTable = [
  {
    index: 0,
    id: 'sleep_score',
    displayName: 'Sleep',
    inForm2: true,
    better: 'higher',
    version: 3,
    provisionalUntilMidnight: false,
    factors: [
      defineFactor(0, 'duration', 50),
      defineFactor(1, 'efficiency', 25),
      defineFactor(2, 'restorative', 10),
      defineFactor(3, 'latency', 15),
    ],
  },
  {
    index: 1,
    id: 'recovery_score',
    displayName: 'Recovery',
    inForm2: true,
    better: 'higher',
    version: 3,
    provisionalUntilMidnight: false,
    factors: [
      defineFactor(0, 'heart_rate_variability', 40),
      defineFactor(1, 'resting_heart_rate', 25),
      defineFactor(2, 'sleep', 25),
      defineFactor(3, 'respiratory_rate', 10),
    ],
  },
  {
    index: 2,
    id: 'strain_score',
    displayName: 'Strain',
    inForm2: true,
    better: 'none',
    version: 2,
    provisionalUntilMidnight: true,
    factors: [defineFactor(0, 'active_energy', 50), defineFactor(1, 'exercise', 30), defineFactor(2, 'steps', 20)],
  },
  {
    index: 3,
    id: 'nutrition_score',
    displayName: 'Nutrition',
    inForm2: true,
    better: 'higher',
    version: 2,
    provisionalUntilMidnight: true,
    factors: [
      defineFactor(0, 'energy_balance', 10),
      defineFactor(1, 'protein', 20),
      defineFactor(2, 'fiber', 25),
      defineFactor(3, 'saturated_fat', 20),
      defineFactor(4, 'sugar', 10),
      defineFactor(5, 'sodium', 15),
    ],
  },
  {
    index: 4,
    id: 'stress_score',
    displayName: 'Physiological Stress',
    inForm2: true,
    better: 'lower',
    version: 2,
    provisionalUntilMidnight: false,
    factors: [defineFactor(0, 'heart_rate_variability', 60), defineFactor(1, 'resting_heart_rate', 40)],
  },
  {
    index: 5,
    id: 'energy_reserve_score',
    displayName: 'Energy Reserve',
    inForm2: false,
    better: 'higher',
    version: 3,
    provisionalUntilMidnight: true,
    factors: [
      defineFactor(0, 'recovery', 60),
      defineFactor(1, 'effort_today', 25),
      defineFactor(2, 'effort_before', 15),
    ],
  },
] as const satisfies ScoreSpec[];

export type ScoreRow = (typeof scoreTable)[number];
export type FactorOf<Id extends ScoreId> = Extract<ScoreRow, { id: Id }>['factors'][number]['name'];

const scoreRowsById = new Map<ScoreId, ScoreRow>(scoreTable.map((row) => [row.id, row]));

/** Every id has a row in the table. */
export function scoreRow(id: ScoreId): ScoreRow {
  const row = scoreRowsById.get(id);
  if (!row) throw new RangeError(`there is no score ${id}`);
  return row;
}

/** The names of the factors of all scores, each once. */
export const factorNames = [...new Set(scoreTable.flatMap(({ factors }) => factors.map(({ name }) => name)))];

export const form2ScoreIds: readonly ScoreId[] = scoreTable.filter(({ inForm2 }) => inForm2).map(({ id }) => id);

/** The formula's name in responses, such as `recovery@3`. */
export const formulaName = (id: ScoreId, version: number): string => `${id.slice(0, -'_score'.length)}@${version}`;

/**
 * Increase this with every release that changes the version of any score: data scored under another
 * generation is rescored.
 */
export const scoringGeneration: number = 2;
