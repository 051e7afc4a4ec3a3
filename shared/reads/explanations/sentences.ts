// Every English sentence of an explanation.
import { type MetricId, metricRow, round } from '../../catalog/metrics.ts';
import type { MissingReason, NotApplicableReason } from '../../catalog/score-states.ts';
import type { LeftOutReason } from '../../consolidation/merge-recorder.ts';
import type { MetricExplanation, ScoreExplanation } from './form-2-schema.ts';

type Device = MetricExplanation['devices'][number];

/** The amount as people write it: `8,421`, `72.4 kg`, `97.5%`. */
function formatAmount(metric: MetricId, value: number): string {
  const { precision, unit } = metricRow(metric);
  const text = new Intl.NumberFormat('en-US', { maximumFractionDigits: precision }).format(round(metric, value));
  if (unit === 'count') return text;
  return unit === '%' ? `${text}%` : `${text} ${unit}`;
}

const nameOf = (id: string): string => id.replaceAll('_', ' ');

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const ordinalWords = ['first', 'second', 'third', 'fourth', 'fifth'];
const describeRank = (rank: number): string => `ranked ${ordinalWords[rank - 1] ?? `number ${rank}`}`;

interface LeftOutText {
  amount: string;
  device: Device;
  /** The value is negative. */
  isMore: boolean;
}

const leftOutSentences: Record<LeftOutReason, (text: LeftOutText) => string> = {
  disabled: ({ amount, device }) =>
    `${device.name} reported ${amount}, which does not count: its provider is switched off for this metric.`,
  lower_rank: ({ amount, device }) =>
    `${device.name} reported ${amount}, which does not count: a higher-ranked device has a value.`,
  measured_by_a_higher_rank: ({ amount, device }) =>
    `Of ${device.name}, ${amount} does not count: a higher-ranked device measured at the same time.`,
  total_of_a_higher_rank: ({ amount, device }) =>
    `${device.name} reported ${amount}, which does not count: a higher-ranked device states a total for the day, which is the value.`,
  total_where_samples_exist: ({ amount, device, isMore }) =>
    isMore
      ? `The samples of ${device.name} add up to ${amount} more than the total that it states: the samples count.`
      : `Of ${device.name}, ${amount} does not count: it is stated as a total without times, and samples count on this day.`,
  group_of_another_device: ({ amount, device }) =>
    `${device.name} reported ${amount}, which does not count: the device that measured the time asleep, or the whole blood pressure, comes first.`,
  deep_and_rem_sleep_count: ({ amount, device, isMore }) =>
    isMore
      ? `${device.name} gives ${amount} more than it reported: the day's deep and REM sleep count, each from its own source.`
      : `Of ${device.name}, ${amount} does not count: the day's deep and REM sleep count, each from its own source.`,
  another_device_of_the_provider: ({ amount, device }) =>
    `${device.name} reported ${amount}, which does not count: another device of the same provider supplies the value.`,
  smaller_value: ({ amount, device }) =>
    `${device.name} reported ${amount}, which does not count: another provider has a larger value.`,
  counted_on_another_day: ({ amount, device }) =>
    `Of ${device.name}, ${amount} counts on another day: the day of the place where it was recorded.`,
};

type MetricFacts = Pick<
  MetricExplanation,
  'metric' | 'explained_value' | 'rule' | 'devices' | 'left_out' | 'state' | 'pending'
>;

export function explainMetricInWords(facts: MetricFacts): string[] {
  const { metric, explained_value, devices, left_out, state, pending } = facts;
  const byId = new Map(devices.map((device) => [device.device_id, device]));
  const leftOut = left_out.flatMap(({ device_id, value, reason }) => {
    const device = byId.get(device_id);
    const amount = formatAmount(metric, Math.abs(value));
    return device ? [leftOutSentences[reason]({ amount, device, isMore: value < 0 })] : [];
  });
  return [
    explained_value === null ? describeAbsence(facts) : describeValue(facts, formatAmount(metric, explained_value)),
    ...leftOut,
    ...(pending ? ['Newer data or settings are still being processed: the value is about to change to this one.'] : []),
    ...(state === 'open' ? ['The day is not over: the value can still change.'] : []),
  ];
}

function describeAbsence({ metric, devices, left_out }: MetricFacts): string {
  if (devices.length === 0) return 'There is no value: no device is connected.';
  if (left_out.length === 0) return `There is no value: no device reported ${nameOf(metric)} for this day.`;
  return 'There is no value: nothing that was reported for this day counts.';
}

function describeValue({ metric, rule, devices }: MetricFacts, value: string): string {
  const entered = devices.filter(({ counted }) => counted !== null && counted > 0);
  const contributors = entered.length > 0 ? entered : devices.filter(({ counted }) => counted !== null);
  const parts = contributors.map(({ name, counted }) => `${formatAmount(metric, counted ?? 0)} from ${name}`);
  const [first] = contributors;
  if (!first) return `The value is ${value}.`;
  if (rule.sum_of)
    return `The value is ${value}, the ${joinWords(rule.sum_of.map(nameOf))} of the day: ${joinWords(parts)}.`;
  switch (rule.method) {
    case 'merge': {
      const [, ...others] = parts;
      if (others.length === 0) return `The value is ${value}, from ${first.name}, ${describeRank(first.rank)}.`;
      return `The value is ${value}: ${parts[0]}, ${describeRank(first.rank)}, and ${joinWords(others)} while no higher-ranked device was measuring.`;
    }
    case 'priority':
      if (rule.key === 'sleep')
        return `The value is ${value}, from ${first.name}. The device that measured the time asleep comes first, then the highest-ranked device that has a value.`;
      return rule.key === metric
        ? `The value is ${value}, from ${first.name}, the highest-ranked device that has one.`
        : `The value is ${value}, from ${first.name}, the highest-ranked device that measured ${nameOf(rule.key)} as a whole.`;
    case 'max':
      return `The value is ${value}, the largest of any provider: ${joinWords(parts)}.`;
    case 'avg':
      return `The value is ${value}, the mean of ${rule.averaged_over === 1 ? 'one provider' : `${rule.averaged_over} providers`}: ${joinWords(parts)}.`;
    case 'sum':
      return `The value is ${value}, the sum of all providers: ${joinWords(parts)}.`;
  }
}

type ScoreFacts = Pick<
  ScoreExplanation,
  'metric' | 'value' | 'status' | 'factors' | 'missing_inputs' | 'state' | 'pending'
>;

export function explainScoreInWords({
  metric,
  value,
  status,
  factors,
  missing_inputs,
  state,
  pending,
}: ScoreFacts): string[] {
  const name = nameOf(metric);
  if (value === null)
    return [
      `There is no ${name}, because ${describeScoreAbsence(
        status,
        missing_inputs.map(({ input }) => nameOf(input)),
      )}.`,
    ];
  return [
    `The ${name} is ${value}: the contributions of its factors add up to it.`,
    ...factors.map(describeFactor),
    ...(pending ? ['Newer data has not yet updated the score.'] : []),
    ...(state === 'open' ? ['The day is not over: the score can still change.'] : []),
  ];
}

const absenceReasons: Record<MissingReason | NotApplicableReason, string> = {
  no_data: 'none of the data that it needs was measured or logged',
  no_main_sleep: 'only a nap was recorded, and no night',
  log_incomplete: 'too little food was logged for a whole day',
  not_worn: 'there are hardly any steps or active energy, as if no device was worn',
  too_few_nutrients: 'neither fiber nor protein (with a body weight) was logged',
  no_strain: 'the day has no strain score',
  under_18: 'it is computed for adults only',
  under_1: 'it is computed from the age of one year',
};

function describeScoreAbsence({ status, days, needed, reason }: ScoreExplanation['status'], inputs: string[]): string {
  if (status === 'calibrating') return `its baseline has only ${days} of the ${needed} days that it needs`;
  const why = absenceReasons[reason ?? 'no_data'];
  return inputs.length === 0 ? why : `${why}. At least one of these is needed: ${inputs.join(', ')}`;
}

function describeFactor({ name, contribution, input, value, usual }: ScoreExplanation['factors'][number]): string {
  const points = `${contribution} ${contribution === 1 ? 'point comes' : 'points come'} from ${nameOf(name)}`;
  if (input === undefined || value === undefined) return `${points}.`;
  const compared = usual === null || usual === undefined ? '' : `, usually ${usual}`;
  return `${points}: ${nameOf(input)} was ${value}${compared}.`;
}
