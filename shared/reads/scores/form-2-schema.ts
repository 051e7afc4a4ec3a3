// Scores as the wire shows them: in columns, in rows, and the current ones; each says how far to trust it.
import * as z from 'zod';
import { scoreIds } from '../../catalog/score-ids.ts';
import { confidences, missingReasons, notApplicableReasons } from '../../catalog/score-states.ts';
import { betterDirections, form2ScoreIds } from '../../catalog/score-table.ts';
import { directions } from '../../measurements/score.ts';
import { CalendarDate, Timestamp } from '../../platform/time/time.ts';
import { SessionSource } from '../kit/source.ts';
import { exampleCurrentScores, exampleFactor, exampleHistory, exampleHistoryRow } from './example-scores.ts';

const nullableNumber = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });

const Factor = z.object({
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
    description:
      'Whether it raises the number (`positive`), lowers it (`negative`) or neither. Colour by `better`, not by this: a `positive` factor of stress means more of it.',
    examples: ['positive'],
  }),
});

/** What it was made from, all of it or nothing. */
const Evidence = z.object({
  input: z.string().meta({ description: 'The metric, or score, that was judged.', examples: ['resting_heart_rate'] }),
  value: z.number().meta({ description: 'What it was on the day, in the unit of the metric.', examples: [61] }),
  usual: nullableNumber('What is usual for the person, where the factor is held against that.', 58),
  z: nullableNumber('How far from usual, in standard deviations, where the factor is held against that.', 1.47),
  points: z.number().meta({ description: 'From 0 to 100.', examples: [16] }),
  weight: z
    .number()
    .meta({ description: 'In percent, with what it took over from factors that are missing.', examples: [65] }),
  source: SessionSource.nullable().meta({ description: 'The device the value came from; null for another score.' }),
  baseline: z.literal('seeded').meta({
    description: 'Only in the sandbox: `usual` was found with weeks before the first day, which no read shows.',
  }),
});

export const ExplainedFactor = Factor.extend(Evidence.partial().shape).meta({
  id: 'ScoreFactor',
  description:
    'One of the factors of a score, with what it was made from. That is left out while new data waits for its turn to change the score.',
  examples: [exampleFactor],
});
export type ExplainedFactor = z.infer<typeof ExplainedFactor>;

const ScoreType = z.enum(scoreIds).meta({ description: 'Which score.', examples: ['recovery_score'] });
const ScoreValue = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: '0 to 100.', examples: [72] });
const form2Id = z.enum(form2ScoreIds);

/** What a value says about itself. */
const valueFields = {
  status: z.enum(['ready', 'provisional']).meta({
    description: '`provisional` while the day is not over and the value still grows with it.',
    examples: ['ready'],
  }),
  confidence: z.enum(confidences).meta({
    description: 'By how many of the inputs were there, how many days the baseline has, and whether the day is over.',
    examples: ['high'],
  }),
  formula: z.string().meta({
    description: 'The formula and its version; `/docs/scores` has the changes.',
    examples: ['recovery@2'],
  }),
  better: z.enum(betterDirections).meta({ description: 'Which values are good to have.', examples: ['higher'] }),
};

const statuses = ['ready', 'provisional', 'calibrating', 'missing', 'not_applicable'] as const;
/** Why there is no value; each field only where it says something. */
const absenceFields = {
  days: z
    .int()
    .optional()
    .meta({ description: 'With `calibrating`: days of a baseline so far.', examples: [3] }),
  needed: z
    .int()
    .optional()
    .meta({ description: 'With `calibrating`: days that are needed.', examples: [5] }),
  reason: z
    .enum([...missingReasons, ...notApplicableReasons])
    .optional()
    .meta({ description: 'With `missing` and `not_applicable`: why.', examples: ['no_main_sleep'] }),
  inputs: z
    .array(z.string())
    .optional()
    .meta({
      description: 'With `missing`: the metrics of which at least one is needed.',
      examples: [['asleep']],
    }),
};

export const ScoreState = z
  .object({
    status: z.enum(statuses).meta({ description: 'What there is on the day, or why not.', examples: ['ready'] }),
    ...absenceFields,
  })
  .meta({
    id: 'ScoreState',
    description:
      'Whether a score has a value on a day: `ready`; `provisional`, the day is not over; `calibrating`, it does not yet know what is usual; ' +
      '`missing`, an input was not measured or logged; `not_applicable` to this person.',
    examples: [{ status: 'ready' }],
  });
export type ScoreState = z.infer<typeof ScoreState>;

const states = z.partialRecord(z.enum(scoreIds), ScoreState);
const describeStatus = (day: string) => `Score id to what there is on ${day}, or why there is nothing.`;

export const CurrentScore = z
  .object({
    type: ScoreType,
    date: CalendarDate.meta({ description: 'The day it is of.', examples: ['2026-03-14'] }),
    value: ScoreValue,
    computed_at: Timestamp,
    ...valueFields,
    factors: z.array(ExplainedFactor),
  })
  .meta({ id: 'CurrentScore', description: 'The newest value of a score, and its factors.' });
export type CurrentScore = z.infer<typeof CurrentScore>;

export const CurrentScores = z
  .object({
    data: z.array(CurrentScore),
    status: states.meta({
      description: describeStatus('the current day'),
    }),
  })
  .meta({
    id: 'CurrentScores',
    description: 'The newest value of every score that has one (Form 1).',
    examples: [exampleCurrentScores],
  });
export type CurrentScores = z.infer<typeof CurrentScores>;

export const ScoreHistoryRow = z
  .object({
    date: CalendarDate,
    type: ScoreType,
    value: ScoreValue.nullable(),
    ...valueFields,
    status: ScoreState.shape.status,
    confidence: valueFields.confidence.nullable(),
    formula: valueFields.formula.nullable(),
    ...absenceFields,
  })
  .meta({
    id: 'ScoreHistoryRow',
    description: 'One score of one day. Only rows asked for with `include_missing=true` have a `value` of null.',
    examples: [exampleHistoryRow],
  });
export type ScoreHistoryRow = z.infer<typeof ScoreHistoryRow>;

export const ScoreHistory = z.object({ data: z.array(ScoreHistoryRow) }).meta({
  id: 'ScoreHistory',
  description: 'The scores of a range, by day; a day without a score has no row, unless asked for.',
  examples: [exampleHistory],
});
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
        z
          .object({ date: CalendarDate, value: ScoreValue, previous_value: ScoreValue.nullable(), ...valueFields })
          .nullable(),
      )
      .meta({
        description:
          'Score id to its newest value in the range, or null. `previous_value` is the value of the calendar day before, ' +
          'null when that day has none or lies outside the range.',
        examples: [
          {
            sleep_score: {
              date: '2026-03-14',
              value: 77,
              previous_value: null,
              status: 'ready',
              confidence: 'high',
              formula: 'sleep@2',
              better: 'higher',
            },
          },
        ],
      }),
    status: z.partialRecord(form2Id, ScoreState).meta({
      description: describeStatus('`to_date`'),
      examples: [{ sleep_score: { status: 'missing', reason: 'no_main_sleep', inputs: ['asleep'] } }],
    }),
    factors: z
      .partialRecord(form2Id, z.array(z.array(ExplainedFactor).nullable()))
      .optional()
      .meta({
        description: 'Only with `include_factors=true`: score id to the factors of each of `dates`.',
        examples: [{ sleep_score: [null, null, [{ name: 'duration', contribution: 77, direction: 'positive' }]] }],
      }),
    statuses: z
      .partialRecord(form2Id, z.array(ScoreState))
      .optional()
      .meta({
        description: 'Only with `include_status=true`: score id to the status of each of `dates`.',
        examples: [
          { sleep_score: [{ status: 'ready' }, { status: 'missing', reason: 'no_data', inputs: ['asleep'] }] },
        ],
      }),
  })
  .meta({ id: 'ScoreColumns', description: 'Scores in columns, one entry a day (Form 2).' });
export type ScoreColumns = z.infer<typeof ScoreColumns>;
