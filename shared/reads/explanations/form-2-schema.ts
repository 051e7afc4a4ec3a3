// Schemas of an explanation: why a daily value or a score is what it is.
import * as z from 'zod';
import { ConsolidationMethod } from '../../catalog/consolidation-catalog.ts';
import { ConsolidationKey } from '../../catalog/consolidation-entry.ts';
import { MetricOrScoreId } from '../../catalog/metric-catalog.ts';
import { MetricId } from '../../catalog/metrics.ts';
import { DeviceType, ProviderId } from '../../catalog/provider.ts';
import { ScoreId } from '../../catalog/score-ids.ts';
import { Unit } from '../../catalog/units.ts';
import { reportKinds } from '../../consolidation/explain-value.ts';
import { leftOutReasons } from '../../consolidation/merge-recorder.ts';
import { CalendarDate, Timestamp, TimeZone } from '../../platform/time/time.ts';
import { DeviceId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';
import { CurrentScore, ExplainedFactor, ScoreState } from '../scores/form-2-schema.ts';

const [ring, phone] = ['dev_01k9p3w4d6f8h0k2n4q6s8v0x2', 'dev_01k9p3w5e7g9j1m3p5r7t9w1y3'];
const exampleExplanation = {
  kind: 'metric',
  metric: 'steps',
  unit: 'count',
  date: '2026-11-15',
  timezone: 'Europe/Berlin',
  state: 'closed',
  sentences: [
    'The value is 8,421: 7,900 from Oura Ring 4, ranked first, and 521 from iPhone 16 while no higher-ranked device was measuring.',
    'Of iPhone 16, 312 does not count: a higher-ranked device measured at the same time.',
  ],
  value: 8421,
  pending: false,
  explained_value: 8421,
  source: { provider: 'oura', device_id: ring },
  rule: { key: 'steps', method: 'merge', overridden: false, averaged_over: null, sum_of: null },
  devices: [
    {
      device_id: ring,
      provider: 'oura',
      name: 'Oura Ring 4',
      type: 'ring',
      rank: 1,
      enabled: true,
      reported: 'samples',
      own_value: 7900,
      counted: 7900,
    },
    {
      device_id: phone,
      provider: 'apple_health',
      name: 'iPhone 16',
      type: 'phone',
      rank: 2,
      enabled: true,
      reported: 'samples',
      own_value: 833,
      counted: 521,
    },
  ],
  periods: [
    {
      start: '2026-11-15T07:00:00.000Z',
      end: '2026-11-15T16:30:00.000Z',
      device_id: ring,
      value: 7900,
      counted: 7900,
    },
    { start: '2026-11-15T16:00:00.000Z', end: '2026-11-15T16:30:00.000Z', device_id: phone, value: 312, counted: 0 },
    { start: '2026-11-15T17:00:00.000Z', end: '2026-11-15T18:00:00.000Z', device_id: phone, value: 521, counted: 521 },
  ],
  left_out: [{ device_id: phone, value: 312, reason: 'measured_by_a_higher_rank', periods: 1 }],
  samples_url:
    '/v1/users/usr_01k9p3w0b1c3e5g7j9m1p3r5t7/timeseries?metrics=steps&start_date=2026-11-15&end_date=2026-11-15&include_sources=true',
};

const amount = (description: string, example: number) => z.number().meta({ description, examples: [example] });

const ExplainedRule = z
  .object({
    key: ConsolidationKey.meta({ description: 'The consolidation setting that applies.', examples: ['steps'] }),
    method: ConsolidationMethod,
    overridden: z.boolean().meta({
      description: 'Whether a stored method replaces the default.',
      examples: [false],
    }),
    averaged_over: z
      .int()
      .nullable()
      .meta({
        description:
          'With `avg`: the number of providers. The value is the sum of what `counted`, divided by it. Null otherwise, and with `sum_of`.',
        examples: [null],
      }),
    sum_of: z
      .array(MetricId)
      .nullable()
      .meta({
        description:
          'The metrics that the value adds up, such as `deep_sleep` and `rem_sleep`; `counted` is what each device gave to them. Null otherwise.',
        examples: [null],
      }),
  })
  .meta({ id: 'ExplainedRule', description: 'The consolidation rule that made the value.' });

const ReportKind = z.enum(reportKinds).meta({
  id: 'ReportKind',
  description:
    'What a device reported: `samples`, from which its daily value is computed; a `total` that it states for the day; or a `night`, with its stages and summary.',
  examples: ['samples'],
});

const ExplainedDevice = z
  .object({
    device_id: DeviceId,
    provider: ProviderId,
    name: z.string().meta({
      description: "The owner's name for the device, or its model if it has none.",
      examples: ['Oura Ring 4'],
    }),
    type: DeviceType,
    rank: z
      .int()
      .min(1)
      .meta({ description: 'The priority of the device for this metric; 1 is the highest.', examples: [1] }),
    enabled: z.boolean().meta({
      description: 'Whether the consolidation settings include its provider for this metric.',
      examples: [true],
    }),
    reported: ReportKind.nullable().meta({
      description: 'Null if the device reported nothing.',
      examples: ['samples'],
    }),
    own_value: amount("The device's own value for the day, unrounded; null if it reported nothing.", 833).nullable(),
    counted: amount(
      'The part of its own value that entered the value, unrounded. Null if the device took no part. The parts of all devices add up to `explained_value`; with `avg`, see `averaged_over`.',
      521,
    ).nullable(),
  })
  .meta({ id: 'ExplainedDevice', description: 'What one device reported, and how much of it counted.' });

const ExplainedPeriod = z
  .object({
    start: Timestamp,
    end: Timestamp.meta({
      description: 'Equals `start` for a moment.',
      examples: ['2026-11-15T08:05:00.000Z'],
    }),
    device_id: DeviceId,
    value: amount('What the device measured in the period, unrounded.', 430),
    counted: amount(
      'The part of it that entered the value, by time, unrounded; 0 if other devices measured all of it.',
      430,
    ),
  })
  .meta({ id: 'ExplainedPeriod', description: 'A period in which a device measured, at most five minutes coarse.' });

const LeftOutReason = z.enum(leftOutReasons).meta({
  id: 'LeftOutReason',
  description:
    'Why a value was left out. `disabled`: its provider is switched off for the metric. `lower_rank`: a higher-ranked device has a value. ' +
    '`measured_by_a_higher_rank`: a higher-ranked device measured at the same time. `total_of_a_higher_rank`: a higher-ranked device states a total, which is the value of the day. ' +
    '`total_where_samples_exist`: a total has no times, and samples count where a higher-ranked device has them. ' +
    '`group_of_another_device`: the device that measured the time asleep, or the whole blood pressure, comes first. ' +
    '`deep_and_rem_sleep_count`: restorative sleep is deep plus REM sleep, each from its own source. ' +
    '`another_device_of_the_provider`: another device of the same provider stands for it. `smaller_value`: another provider has a larger value. ' +
    '`counted_on_another_day`: with `day_rule: recorded`, it counts on the day of the place where it was recorded. New reasons may be added.',
  examples: ['measured_by_a_higher_rank'],
});

const LeftOutValue = z
  .object({
    device_id: DeviceId,
    value: amount(
      "What was left out, unrounded. What `counted` and what was left out add up to the device's own value, except for `counted_on_another_day`. " +
        'It can be negative with `total_where_samples_exist`, because the samples of a device can add up to more than the total it states, and with `deep_and_rem_sleep_count`.',
      312,
    ),
    reason: LeftOutReason,
    periods: z.int().meta({
      description: 'The number of periods that were left out, fully or in part; 0 if the reason is not about times.',
      examples: [14],
    }),
  })
  .meta({ id: 'LeftOutValue', description: "A device's value, or a part of it, that did not enter the value." });

const commonFields = {
  date: CalendarDate,
  timezone: TimeZone.meta({
    description: "The time zone of the user's days; UTC if the profile has none.",
    examples: ['Europe/Berlin'],
  }),
  state: z.enum(['open', 'closed']).meta({
    id: 'DayState',
    description: '`open` until the day is over in the time zone of the user. Late data can change a `closed` day, too.',
    examples: ['open'],
  }),
  sentences: z.array(z.string()).meta({
    description: 'The explanation in English, to show to people. The wording may change.',
    examples: [
      [
        'The value is 8,421: 7,900 from Oura Ring 4, ranked first, and 521 from iPhone 16 while no higher-ranked device was measuring.',
        'Of iPhone 16, 312 does not count: a higher-ranked device measured at the same time.',
      ],
    ],
  }),
};
const samplesUrl = z.string().meta({
  description: 'The path that returns the samples of the day that count.',
  examples: [
    '/v1/users/usr_01k9p3w0b1c3e5g7j9m1p3r5t7/timeseries?metrics=steps&start_date=2026-11-15&end_date=2026-11-15&include_sources=true',
  ],
});
const explanationUrl = z.string().meta({
  description: 'The path of the explanation of the input.',
  examples: ['/v1/users/usr_01k9p3w0b1c3e5g7j9m1p3r5t7/daily/2026-11-15/resting_heart_rate/explanation'],
});

export const MetricExplanation = z
  .object({
    kind: z.literal('metric').meta({ description: 'The explanation of a metric.' }),
    metric: MetricId,
    unit: Unit,
    ...commonFields,
    value: amount(
      'The value as the daily read returns it, rounded. Null if there is none: the devices then show whether nothing was reported, or everything was left out.',
      8421,
    ).nullable(),
    pending: z.boolean().meta({
      description:
        'Whether the value is about to change, because newer data or settings are still being processed. `explained_value` is then the new value.',
      examples: [false],
    }),
    explained_value: amount(
      'The value that the rest of the explanation is about, rounded. It equals `value` unless `pending` is true.',
      8421,
    ).nullable(),
    source: SessionSource.nullable().meta({
      description: 'The device that the daily read names as the source of `value`; null without a value.',
    }),
    rule: ExplainedRule,
    devices: z.array(ExplainedDevice).meta({
      description: 'Every device of the user that is or was connected, highest priority first.',
    }),
    periods: z.array(ExplainedPeriod).meta({
      description:
        'For metrics that accrue over the day, such as steps: what each device measured when, earliest first. Empty for other metrics, and for totals that devices state.',
    }),
    left_out: z.array(LeftOutValue).meta({ description: 'What was left out and why, highest priority first.' }),
    samples_url: samplesUrl,
  })
  .meta({ id: 'MetricExplanation', description: 'Why a metric has its value on a day.' });
export type MetricExplanation = z.infer<typeof MetricExplanation>;

const FactorExplanation = ExplainedFactor.extend({
  explanation_url: explanationUrl.nullable().meta({
    description: 'The path of the explanation of the input; null if the factor is about earlier days.',
  }),
}).meta({
  id: 'FactorExplanation',
  description: 'A factor of a score, the input it is based on, and where that input is explained.',
});

const MissingInput = z
  .object({ input: MetricOrScoreId, explanation_url: explanationUrl })
  .meta({ id: 'MissingInput', description: 'An input of a score, and where its value is explained.' });

export const ScoreExplanation = z
  .object({
    kind: z.literal('score').meta({ description: 'The explanation of a score.' }),
    metric: ScoreId,
    unit: z.literal('score').meta({ description: 'Scores have no unit.' }),
    ...commonFields,
    value: CurrentScore.shape.value.nullable(),
    pending: z.boolean().meta({
      description:
        'Whether newer data has not yet updated the score. The factors then are those of the stored value, without their inputs.',
      examples: [false],
    }),
    status: ScoreState,
    confidence: CurrentScore.shape.confidence.nullable(),
    formula: CurrentScore.shape.formula.nullable(),
    factors: z.array(FactorExplanation).meta({
      description: 'The factors, whose contributions add up to the value; empty without a value.',
    }),
    missing_inputs: z.array(MissingInput).meta({
      description: 'Without a value, if inputs are missing: the metrics of which at least one is required.',
    }),
  })
  .meta({ id: 'ScoreExplanation', description: 'Why a score has its value on a day.' });
export type ScoreExplanation = z.infer<typeof ScoreExplanation>;

export const Explanation = z
  .object({ data: z.discriminatedUnion('kind', [MetricExplanation, ScoreExplanation]) })
  .meta({
    id: 'Explanation',
    description: 'Why a daily value or a score is what it is.',
    examples: [{ data: exampleExplanation }],
  });
export type Explanation = z.infer<typeof Explanation>;
