// Schemas of scores: in columns, in rows, and the current ones, each with its confidence.
import * as z from 'zod';
import { MetricOrScoreId } from '../../catalog/metric-catalog.ts';
import { MetricId } from '../../catalog/metrics.ts';
import { ScoreId } from '../../catalog/score-ids.ts';
import { confidences, missingReasons, notApplicableReasons } from '../../catalog/score-states.ts';
import { betterDirections, factorNames, form2ScoreIds } from '../../catalog/score-table.ts';
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
  name: z.enum(factorNames).meta({
    id: 'ScoreFactorName',
    description: 'The name of the factor. `/docs/scores` describes each. New factors may be added.',
    examples: ['heart_rate_variability'],
  }),
  contribution: z
    .int()
    .min(0)
    .max(100)
    .meta({
      description: "The factor's share of the value. The contributions of all factors add up to the value.",
      examples: [31],
    }),
  direction: z.enum(directions).meta({
    id: 'FactorDirection',
    description:
      'Whether the factor raises the value (`positive`), lowers it (`negative`) or does neither. For colours use `better` instead: a `positive` factor of stress means more stress.',
    examples: ['positive'],
  }),
});

/** The evidence of a factor; either all of its fields are present or none. */
const Evidence = z.object({
  input: MetricOrScoreId.meta({
    description: 'The metric or score that the factor is based on.',
    examples: ['resting_heart_rate'],
  }),
  value: z.number().meta({ description: "The input's value on the day, in the unit of the metric.", examples: [61] }),
  usual: nullableNumber("The user's usual value, if the factor is compared with it.", 58),
  z: nullableNumber(
    'The distance from the usual value in standard deviations, if the factor is compared with it.',
    1.47,
  ),
  points: z.number().meta({ description: 'The points of the factor, from 0 to 100.', examples: [16] }),
  weight: z.number().meta({
    description: 'The weight in percent, including weight redistributed from missing factors.',
    examples: [65],
  }),
  source: SessionSource.nullable().meta({
    description: 'The device the value came from; null if the input is another score.',
  }),
  baseline: z.literal('seeded').meta({
    description: 'Only in the sandbox: `usual` includes seeded weeks before the first day, which no read returns.',
  }),
});

export const ExplainedFactor = Factor.extend(Evidence.partial().shape).meta({
  id: 'ScoreFactor',
  description:
    'A factor of a score and the input it is based on. The input fields are omitted while newer data has not yet updated the score.',
  examples: [exampleFactor],
});
export type ExplainedFactor = z.infer<typeof ExplainedFactor>;

const ScoreType = ScoreId.meta({ description: 'The id of the score.', examples: ['recovery_score'] });
const ScoreValue = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: 'The value of the score, from 0 to 100.', examples: [72] });
const form2Id = z.enum(form2ScoreIds).meta({
  id: 'Form2ScoreId',
  description: 'A score that Form 2 reads. New ids may be added.',
  examples: ['recovery_score'],
});

/** The fields that describe a value. */
const valueFields = {
  status: z.enum(['ready', 'provisional']).meta({
    id: 'ScoreValueStatus',
    description: '`provisional` while the day is not over and the value still changes with it.',
    examples: ['ready'],
  }),
  confidence: z.enum(confidences).meta({
    id: 'ScoreConfidence',
    description:
      'Depends on how many inputs were available, on the number of baseline days, and on whether the day is over.',
    examples: ['high'],
  }),
  formula: z
    .string()
    .regex(/^[a-z_]+@\d+$/)
    .meta({
      description: 'The formula and its version. `/docs/scores` lists the changes.',
      examples: ['recovery@3'],
    }),
  better: z
    .enum(betterDirections)
    .meta({ id: 'BetterDirection', description: 'Whether higher or lower values are better.', examples: ['higher'] }),
};

const statuses = ['ready', 'provisional', 'calibrating', 'missing', 'not_applicable'] as const;
/** The reason for a missing value; each field is present only where it applies. */
const absenceFields = {
  days: z
    .int()
    .optional()
    .meta({ description: 'With `calibrating`: the baseline days so far.', examples: [3] }),
  needed: z
    .int()
    .optional()
    .meta({ description: 'With `calibrating`: the days needed.', examples: [5] }),
  reason: z
    .enum([...missingReasons, ...notApplicableReasons])
    .meta({
      id: 'NoScoreReason',
      description: 'Why a score has no value. New reasons may be added.',
      examples: ['no_data'],
    })
    .optional()
    .meta({ description: 'With `missing` and `not_applicable`: the reason.', examples: ['no_main_sleep'] }),
  inputs: z
    .array(MetricId)
    .optional()
    .meta({
      description: 'With `missing`: the metrics of which at least one is required.',
      examples: [['asleep']],
    }),
};

export const ScoreState = z
  .object({
    status: z.enum(statuses).meta({
      id: 'ScoreDayStatus',
      description: 'Whether the score has a value on the day, or why not.',
      examples: ['ready'],
    }),
    ...absenceFields,
  })
  .meta({
    id: 'ScoreState',
    description:
      'Whether a score has a value on a day. `ready`: it does. `provisional`: it does, but the day is not over. `calibrating`: the baseline does not have enough days yet. ' +
      '`missing`: an input was not measured or logged. `not_applicable`: the score does not apply to this user.',
    examples: [{ status: 'ready' }],
  });
export type ScoreState = z.infer<typeof ScoreState>;

const states = z.partialRecord(ScoreId, ScoreState);
const describeStatus = (day: string) => `The status of each score on ${day}, keyed by score id.`;

export const CurrentScore = z
  .object({
    type: ScoreType,
    date: CalendarDate.meta({ description: 'The day of the score.', examples: ['2026-03-14'] }),
    value: ScoreValue,
    computed_at: Timestamp,
    ...valueFields,
    factors: z.array(ExplainedFactor),
  })
  .meta({ id: 'CurrentScore', description: 'The newest value of a score, with its factors.' });
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
    description: 'One score on one day. `value` is null only in rows returned with `include_missing=true`.',
    examples: [exampleHistoryRow],
  });
export type ScoreHistoryRow = z.infer<typeof ScoreHistoryRow>;

export const ScoreHistory = z.object({ data: z.array(ScoreHistoryRow) }).meta({
  id: 'ScoreHistory',
  description:
    'The scores of the range by day. A day without a score has no row unless you set `include_missing=true`.',
  examples: [exampleHistory],
});
export type ScoreHistory = z.infer<typeof ScoreHistory>;

export const ScoreColumns = z
  .object({
    from_date: CalendarDate,
    to_date: CalendarDate,
    dates: z.array(CalendarDate).meta({ description: 'Every day of the range, earliest first.' }),
    series: z.partialRecord(form2Id, z.array(z.number().nullable())).meta({
      description:
        'The values of each score, keyed by score id, with one entry per day in the order of `dates`; null where there is none.',
      examples: [{ sleep_score: [81, null, 77] }],
    }),
    latest: z
      .partialRecord(
        form2Id,
        z
          .object({ date: CalendarDate, value: ScoreValue, previous_value: ScoreValue.nullable(), ...valueFields })
          .meta({ id: 'LatestScore', description: 'The newest value of a score in the range.' })
          .nullable(),
      )
      .meta({
        description:
          'The newest value of each score in the range, keyed by score id, or null. `previous_value` is the value of the previous calendar day; ' +
          'it is null if that day has no value or is outside the range.',
        examples: [
          {
            sleep_score: {
              date: '2026-03-14',
              value: 77,
              previous_value: null,
              status: 'ready',
              confidence: 'high',
              formula: 'sleep@3',
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
        description:
          'Only with `include_factors=true`: the factors of each score, keyed by score id, with one entry per day in the order of `dates`.',
        examples: [{ sleep_score: [null, null, [{ name: 'duration', contribution: 77, direction: 'positive' }]] }],
      }),
    statuses: z
      .partialRecord(form2Id, z.array(ScoreState))
      .optional()
      .meta({
        description:
          'Only with `include_status=true`: the status of each score, keyed by score id, with one entry per day in the order of `dates`.',
        examples: [
          { sleep_score: [{ status: 'ready' }, { status: 'missing', reason: 'no_data', inputs: ['asleep'] }] },
        ],
      }),
  })
  .meta({ id: 'ScoreColumns', description: 'Scores in columns, with one entry per day (Form 2).' });
export type ScoreColumns = z.infer<typeof ScoreColumns>;
