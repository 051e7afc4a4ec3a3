// The scores: their names, the factors each is made of and what these weigh, and how the wire shows them.
// Indexes are written into stored days: rows may be added with the next free index, and an index never changes its meaning.
import * as z from 'zod';
import { type ScoreId, scoreIds } from './score-ids.ts';
import { CalendarDate, Timestamp } from './time.ts';

interface ScoreSpec {
  index: number;
  id: ScoreId;
  displayName: string;
  /** Whether both forms of the contract have it. */
  inForm2: boolean;
  factors: readonly { index: number; name: string; weight: number }[];
}

const factor = <const Name extends string>(index: number, name: Name, weight: number) => ({ index, name, weight });

export const scoreTable = [
  {
    index: 0,
    id: 'sleep_score',
    displayName: 'Sleep',
    inForm2: true,
    factors: [
      factor(0, 'duration', 45),
      factor(1, 'efficiency', 25),
      factor(2, 'restorative', 20),
      factor(3, 'latency', 10),
    ],
  },
  {
    index: 1,
    id: 'recovery_score',
    displayName: 'Recovery',
    inForm2: true,
    factors: [
      factor(0, 'heart_rate_variability', 40),
      factor(1, 'resting_heart_rate', 25),
      factor(2, 'sleep', 25),
      factor(3, 'respiratory_rate', 10),
    ],
  },
  {
    index: 2,
    id: 'strain_score',
    displayName: 'Strain',
    inForm2: true,
    factors: [factor(0, 'active_energy', 50), factor(1, 'exercise', 30), factor(2, 'steps', 20)],
  },
  {
    index: 3,
    id: 'nutrition_score',
    displayName: 'Nutrition',
    inForm2: true,
    factors: [
      factor(0, 'energy_balance', 20),
      factor(1, 'protein', 20),
      factor(2, 'fiber', 20),
      factor(3, 'saturated_fat', 15),
      factor(4, 'sugar', 15),
      factor(5, 'sodium', 10),
    ],
  },
  {
    index: 4,
    id: 'stress_score',
    displayName: 'Stress',
    inForm2: true,
    factors: [factor(0, 'heart_rate_variability', 60), factor(1, 'resting_heart_rate', 40)],
  },
  {
    index: 5,
    id: 'energy_reserve_score',
    displayName: 'Energy Reserve',
    inForm2: false,
    factors: [factor(0, 'recovery', 60), factor(1, 'effort_today', 25), factor(2, 'effort_before', 15)],
  },
] as const satisfies ScoreSpec[];

export type ScoreRow = (typeof scoreTable)[number];
/** The factors of one score. */
export type FactorOf<Id extends ScoreId> = Extract<ScoreRow, { id: Id }>['factors'][number]['name'];

export const form2ScoreIds: readonly ScoreId[] = scoreTable.filter(({ inForm2 }) => inForm2).map(({ id }) => id);

export const directions = ['positive', 'neutral', 'negative'] as const;

export const ScoreFactor = z
  .object({
    name: z.string().meta({ description: 'The name of the factor.', examples: ['heart_rate_variability'] }),
    contribution: z
      .int()
      .min(0)
      .max(100)
      .meta({
        description: 'Its share of the value; the contributions of all factors add up to the value.',
        examples: [31],
      }),
    direction: z.enum(directions).meta({
      description: 'Whether it raises the score (`positive`), lowers it (`negative`) or neither.',
      examples: ['positive'],
    }),
  })
  .meta({ id: 'ScoreFactor', description: 'One of the factors of a score.' });
export type ScoreFactor = z.infer<typeof ScoreFactor>;

/** A score of one day. */
export interface Score {
  /** 0 to 100, whole. */
  value: number;
  factors: ScoreFactor[];
}

const ScoreType = z.enum(scoreIds).meta({ description: 'Which score.', examples: ['recovery_score'] });
const ScoreValue = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: '0 to 100.', examples: [72] });
const form2Id = z.enum(form2ScoreIds);

export const CurrentScore = z
  .object({ type: ScoreType, value: ScoreValue, computed_at: Timestamp, factors: z.array(ScoreFactor) })
  .meta({ id: 'CurrentScore', description: 'The newest value of a score, and its factors.' });
export type CurrentScore = z.infer<typeof CurrentScore>;

export const CurrentScores = z
  .object({ data: z.array(CurrentScore) })
  .meta({ id: 'CurrentScores', description: 'The newest value of every score that has one (Form 1).' });
export type CurrentScores = z.infer<typeof CurrentScores>;

export const ScoreHistory = z
  .object({
    data: z.array(
      z
        .object({ date: CalendarDate, type: ScoreType, value: ScoreValue })
        .meta({ id: 'ScoreHistoryRow', description: 'One score of one day.' }),
    ),
  })
  .meta({ id: 'ScoreHistory', description: 'The scores of a range, by day; a day without a score has no row.' });
export type ScoreHistory = z.infer<typeof ScoreHistory>;

export const ScoreColumns = z
  .object({
    from_date: CalendarDate,
    to_date: CalendarDate,
    dates: z.array(CalendarDate).meta({ description: 'Every day of the range, the first one first.' }),
    series: z.partialRecord(form2Id, z.array(z.number().nullable())).meta({
      description: 'Score id to values, one for each of `dates`; null where there is none.',
      examples: [{ sleep_score: [81, null, 77] }],
    }),
    latest: z
      .partialRecord(
        form2Id,
        z.object({ date: CalendarDate, value: ScoreValue, previous_value: ScoreValue.nullable() }).nullable(),
      )
      .meta({
        description:
          'Score id to its newest value in the range, or null. `previous_value` is the value of the calendar day before, ' +
          'null when that day has none or lies outside the range.',
        examples: [{ sleep_score: { date: '2026-03-14', value: 77, previous_value: null } }],
      }),
    factors: z
      .partialRecord(form2Id, z.array(z.array(ScoreFactor).nullable()))
      .optional()
      .meta({
        description: 'Only with `include_factors=true`: score id to the factors of each of `dates`.',
        examples: [{ sleep_score: [null, null, [{ name: 'duration', contribution: 77, direction: 'positive' }]] }],
      }),
  })
  .meta({ id: 'ScoreColumns', description: 'Scores in columns, one entry a day (Form 2).' });
export type ScoreColumns = z.infer<typeof ScoreColumns>;
