// Parses the path of an explanation, and renders the explanation with its sentences.

import type { MetricId } from '../../catalog/metrics.ts';
import { isMetricId, round } from '../../catalog/metrics.ts';
import { isScoreId, type ScoreId } from '../../catalog/score-ids.ts';
import { getMissingInputs } from '../../catalog/score-states.ts';
import type { MeasuredPeriod } from '../../consolidation/merge-recorder.ts';
import { removeSumNoise } from '../../platform/arithmetic.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { Failure } from '../../system/failure.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { presentUnit } from '../kit/present-value.ts';
import { QueryDate } from '../kit/read-parameters.ts';
import { requestedId } from '../kit/requested-ids.ts';
import { presentDevice } from '../kit/source.ts';
import { isScoreResult } from '../scores/read-scores.ts';
import { presentFactor, presentScoreMeta, presentState } from '../scores/score-fields.ts';
import type * as schema from './form-2-schema.ts';
import type { ExplainedMetric, ExplainedScore, ExplanationRequest, ExplanationResult } from './read-explanation.ts';
import { explainMetricInWords, explainScoreInWords } from './sentences.ts';

export interface ExplanationQuery {
  date: string;
  metric: string;
}

export const form2Explanation: Presenter<ExplanationQuery, ExplanationRequest, ExplanationResult, schema.Explanation> =
  {
    parse({ date, metric }) {
      const isSupported = (text: string): text is MetricId | ScoreId => isMetricId(text) || isScoreId(text);
      const advice = () => 'see GET /v1/metrics for the supported ids';
      const id = requestedId(metric, { parameter: 'metric', isSupported, advice });
      return {
        date: parseDate(date),
        about: isMetricId(id) ? { kind: 'metric', metric: id } : { kind: 'score', score: id },
      };
    },
    render: (result) => ({ data: result.kind === 'metric' ? presentMetric(result) : presentScore(result) }),
  };

/** The date is in the path, but an impossible one is the same failure as in a query. */
function parseDate(text: string): string {
  const parsed = QueryDate.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? 'must be a date, such as 2026-03-14';
  throw new Failure('invalid_request', `The date is invalid: ${message}.`, {
    details: { issues: [{ path: 'date', message }] },
  });
}

const explanationPath = (userId: string, date: string, id: string): string =>
  `/v1/users/${userId}/daily/${date}/${id}/explanation`;

function presentMetric(result: ExplainedMetric): schema.MetricExplanation {
  const { userId, date, zone, isOpen, metric, value, source, isPending, explained, deviceByOrdinal } = result;
  const idOf = (ordinal: number): string => getDevice(deviceByOrdinal, ordinal).id;
  const roundValue = (amount: number | null): number | null => (amount === null ? null : round(metric, amount));
  const { key, method, overridden, averagedOver, sumOf } = explained.rule;
  const facts = {
    metric,
    state: presentDayState(isOpen),
    pending: isPending,
    explained_value: roundValue(explained.value),
    rule: { key: key, method, overridden, averaged_over: averagedOver, sum_of: sumOf && [...sumOf] },
    devices: explained.devices.map(({ ordinal, rank, enabled, reported, ownValue, counted }) => {
      const device = getDevice(deviceByOrdinal, ordinal);
      return {
        device_id: device.id,
        provider: device.provider,
        name: device.name ?? device.model,
        type: device.deviceType,
        rank,
        enabled,
        reported,
        own_value: ownValue,
        // A share by time has endless digits; a value that entered whole keeps its own.
        counted: counted === null || counted === ownValue ? counted : removeSumNoise(counted),
      };
    }),
    left_out: explained.leftOut.map((each) => ({
      device_id: idOf(each.ordinal),
      value: removeSumNoise(each.value),
      reason: each.reason,
      periods: each.periods,
    })),
  };
  return {
    kind: 'metric',
    metric,
    unit: presentUnit(metric, 'metric'),
    date,
    timezone: zone ?? 'UTC',
    state: facts.state,
    value: roundValue(value),
    pending: isPending,
    explained_value: facts.explained_value,
    source: source ? presentDevice(source) : null,
    rule: facts.rule,
    devices: facts.devices,
    periods: limitPeriods(explained.periods).map(({ ordinal, startMs, endMs, value: measured, counted }) => ({
      start: formatTimestamp(startMs),
      end: formatTimestamp(endMs),
      device_id: idOf(ordinal),
      value: removeSumNoise(measured),
      counted: removeSumNoise(counted),
    })),
    left_out: facts.left_out,
    sentences: explainMetricInWords(facts),
    samples_url: `/v1/users/${userId}/timeseries?metrics=${metric}&start_date=${date}&end_date=${date}&include_sources=true`,
  };
}

function getDevice(devices: ReadonlyMap<number, DeviceRow>, ordinal: number): DeviceRow {
  const device = devices.get(ordinal);
  if (!device) throw new Error(`there is no device ${ordinal}`);
  return device;
}

const presentDayState = (isOpen: boolean) => (isOpen ? ('open' as const) : ('closed' as const));

const maxPeriods = 5_000;
const cellMs = 300_000;

/** Joins the periods that a device began within the same five minutes, if there are very many. */
export function limitPeriods(periods: readonly MeasuredPeriod[]): readonly MeasuredPeriod[] {
  if (periods.length <= maxPeriods) return periods;
  const cells = new Map<string, MeasuredPeriod>();
  for (const period of periods) {
    const name = `${period.ordinal} ${Math.floor(period.startMs / cellMs)}`;
    const cell = cells.get(name);
    if (!cell) cells.set(name, { ...period });
    else {
      cell.endMs = Math.max(cell.endMs, period.endMs);
      cell.value += period.value;
      cell.counted += period.counted;
    }
  }
  return [...cells.values()];
}

/** A factor about the days before has no explanation on this day. */
const factorsOfEarlierDays: ReadonlySet<string> = new Set(['effort_before']);

function presentScore({ userId, date, zone, isOpen, score, entry }: ExplainedScore): schema.ScoreExplanation {
  const isResult = isScoreResult(entry);
  const factors = isResult ? entry.factors.map(presentFactor) : [];
  const meta = isResult ? presentScoreMeta(score, entry) : undefined;
  const missing = !isResult && entry.status === 'missing' ? getMissingInputs(score, entry.reason) : [];
  const facts = {
    metric: score,
    state: presentDayState(isOpen),
    value: isResult ? entry.value : null,
    pending: factors.some(({ input }) => input === undefined),
    status: presentState(score, entry),
    factors: factors.map((factor) => ({
      ...factor,
      explanation_url:
        factor.input === undefined || factorsOfEarlierDays.has(factor.name)
          ? null
          : explanationPath(userId, date, factor.input),
    })),
    missing_inputs: missing.map((input) => ({ input, explanation_url: explanationPath(userId, date, input) })),
  };
  return {
    kind: 'score',
    unit: 'score',
    date,
    timezone: zone ?? 'UTC',
    ...facts,
    confidence: meta?.confidence ?? null,
    formula: meta?.formula ?? null,
    sentences: explainScoreInWords(facts),
  };
}
