// Reads why a daily value or a score is what it is: from the rows that a rebuild of that day reads,
// or from the days that the score was computed from.

import type { MetricId } from '../../catalog/metrics.ts';
import { metricRow } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import type { NoScore } from '../../catalog/score-states.ts';
import { noData } from '../../catalog/score-states.ts';
import { adjacencyDays, findOverlappingRows } from '../../consolidation/adjacent-days.ts';
import { explainValue, type ValueExplanation } from '../../consolidation/explain-value.ts';
import { unpackCanonicalRow } from '../../measurements/codec/canonical-day.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../../measurements/codec/normalized-day.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import { addDays, dayBounds, todayIn } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { devicesWithData, mergeRuleOf, toRankedDevice } from '../../users/user-context.ts';
import { collectByDate } from '../daily/daily-columns.ts';
import { readWithAuthorizedUser } from '../kit/reader.ts';
import { readScores, type ScoreResult } from '../scores/read-scores.ts';

export interface ExplanationRequest {
  date: string;
  about: { kind: 'metric'; metric: MetricId } | { kind: 'score'; score: ScoreId };
}

interface DayContext {
  userId: string;
  date: string;
  /** Null means UTC. */
  zone: string | null;
  /** The day is not over. */
  isOpen: boolean;
}

export interface ExplainedMetric extends DayContext {
  kind: 'metric';
  metric: MetricId;
  /** The stored value, which the daily read returns; null if there is none. */
  value: number | null;
  /** The stored source. */
  source: DeviceRow | undefined;
  /** The stored value will be replaced by the explained one. */
  isPending: boolean;
  explained: ValueExplanation;
  deviceByOrdinal: ReadonlyMap<number, DeviceRow>;
}

export interface ExplainedScore extends DayContext {
  kind: 'score';
  score: ScoreId;
  entry: ScoreResult | NoScore;
}

export type ExplanationResult = ExplainedMetric | ExplainedScore;

export const readExplanation = (
  deps: Deps,
  caller: Caller,
  userId: string,
  { date, about }: ExplanationRequest,
): Promise<ExplanationResult> =>
  about.kind === 'metric'
    ? explainMetric(deps, caller, userId, { date, metric: about.metric })
    : explainScore(deps, caller, userId, { date, score: about.score });

async function explainMetric(
  deps: Deps,
  caller: Caller,
  userId: string,
  { date, metric }: { date: string; metric: MetricId },
): Promise<ExplainedMetric> {
  const rows = dayRows(deps.store);
  const [first, last] = [addDays(date, -adjacencyDays), addDays(date, adjacencyDays)];
  const [{ user, devices: allDevices, state }, [normalized, canonical]] = await readWithAuthorizedUser(
    deps,
    caller,
    userId,
    () =>
      Promise.all([
        collectByDate(rows.iterateNormalized(userId, first, last, { consistent: false })),
        collectByDate(rows.iterateCanonical(userId, date, date)),
      ]),
  );
  const devices = devicesWithData(allDevices);
  const own = normalized.get(date);
  const dayRowsOf = own ? unpackNormalizedRows(own.packed) : [];
  const otherDays = [...normalized.values()].filter((day) => day.date !== date).map(({ packed }) => packed);
  const unpack = (bytes: Uint8Array): NormalizedRow[] => unpackNormalizedRows(bytes);
  const explained = explainValue(metric, {
    devices: devices.map(toRankedDevice),
    settings: state.settings,
    mergeRule: mergeRuleOf(user, canonical.get(date)),
    rows: dayRowsOf,
    adjacentRows: findOverlappingRows(dayRowsOf, otherDays, unpack),
    ...(user.dayRule === 'recorded'
      ? { elsewhere: { span: dayBounds(date, user.timezone), rows: otherDays.flatMap(unpack) } }
      : {}),
  });
  const deviceByOrdinal = new Map(devices.map((device) => [device.ordinal, device]));
  const stored = readStoredValue(metric, canonical.get(date)?.packed);
  return {
    kind: 'metric',
    userId,
    date,
    zone: user.timezone,
    isOpen: date >= todayIn(user.timezone, deps.clock.now()),
    metric,
    value: stored?.value ?? null,
    source: stored && deviceByOrdinal.get(stored.source),
    isPending: (stored?.value ?? null) !== explained.value || (stored?.source ?? null) !== explained.source,
    explained,
    deviceByOrdinal,
  };
}

function readStoredValue(
  metric: MetricId,
  packed: Uint8Array | undefined,
): { value: number; source: number } | undefined {
  if (!packed) return undefined;
  const { index } = metricRow(metric);
  const { values, sources } = unpackCanonicalRow(packed);
  const [value, source] = [values[index], sources[index]];
  return value === undefined || source === undefined || Number.isNaN(value) ? undefined : { value, source };
}

async function explainScore(
  deps: Deps,
  caller: Caller,
  userId: string,
  { date, score }: { date: string; score: ScoreId },
): Promise<ExplainedScore> {
  const range = { from: date, to: date, names: { from: 'date', to: 'date' }, maxDays: 1 };
  const { columns, zone } = await readScores(deps, caller, userId, { range, scores: [score], explanations: 'all' });
  return {
    kind: 'score',
    userId,
    date,
    zone,
    isOpen: date >= todayIn(zone, deps.clock.now()),
    score,
    entry: columns[0]?.entries[0] ?? noData,
  };
}
