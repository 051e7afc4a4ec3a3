// Explains one value of one day: the rule, what each device reported, what entered and what was left
// out. The day is merged again with a recorder, so an explanation cannot follow other rules than
// the day itself.

import type { ConsolidationMethod, ConsolidationSettings } from '../catalog/consolidation-catalog.ts';
import type { ConsolidationKey } from '../catalog/consolidation-entry.ts';
import { type MetricId, metricRow } from '../catalog/metrics.ts';
import { type Mark, marks, type NormalizedRow } from '../measurements/codec/normalized-day.ts';
import type { Piece, Span } from '../measurements/timeline.ts';
import { overlaps } from './adjacent-days.ts';
import { consolidationEntry, consolidationKey } from './catalog.ts';
import { compareByPriority } from './device-priority.ts';
import { compileMerge } from './merge-day.ts';
import type { MergeDevice } from './merge-plan.ts';
import type { LeftOut, MeasuredPeriod, MergeRecorder, MetricRecord } from './merge-recorder.ts';
import { isEnabled, methodFor } from './settings.ts';

export const reportKinds = ['samples', 'total', 'night'] as const;
export type ReportKind = (typeof reportKinds)[number];

const kindByMark: Record<Mark, ReportKind> = {
  [marks.derived]: 'samples',
  [marks.stated]: 'total',
  [marks.night]: 'night',
};

export interface ExplainedDevice {
  ordinal: number;
  /** 1 for the highest-ranked of all devices, whether or not they reported anything. */
  rank: number;
  enabled: boolean;
  /** Null if the device has no value. */
  reported: ReportKind | null;
  ownValue: number | null;
  /**
   * The part of its own value that entered; null if it did not enter at all. For a sum of other
   * metrics: what the device gave to those, even if it has no value of its own.
   */
  counted: number | null;
}

export interface ValueExplanation {
  value: number | null;
  /** The ordinal of the source device; null without a value. */
  source: number | null;
  rule: {
    key: ConsolidationKey;
    method: ConsolidationMethod;
    overridden: boolean;
    /** The number of providers whose mean the value is; null if it is no mean. */
    averagedOver: number | null;
    /** The metrics of the same day that the value adds up; null if it was merged by itself. */
    sumOf: readonly MetricId[] | null;
  };
  /** Highest-ranked first. */
  devices: ExplainedDevice[];
  /** Every period that the devices measured, earliest first. */
  periods: MeasuredPeriod[];
  /** In the order of `devices`. */
  leftOut: LeftOut[];
}

export interface DayToExplain {
  devices: readonly MergeDevice[];
  settings: ConsolidationSettings;
  /** The version of the rules that the day was stored under; by default the current one. */
  mergeRule?: number;
  rows: readonly NormalizedRow[];
  /** Rows of other days that overlap the same hours. */
  adjacentRows: readonly NormalizedRow[];
  /**
   * For users whose records count on the day of the place where they were recorded: the day in the
   * profile's zone, and the rows of other days, which may have records of that time.
   */
  elsewhere?: { span: Span; rows: readonly NormalizedRow[] };
}

export function explainValue(metric: MetricId, day: DayToExplain): ValueExplanation {
  const { index } = metricRow(metric);
  const record: MetricRecord = { index, periods: [], leftOut: [] };
  const recorder: MergeRecorder = { breakdowns: new Map(), metric: record };
  const merged = compileMerge(day.devices, day.settings, day.mergeRule)(day.rows, day.adjacentRows, recorder);
  const value = toNullable(merged.values[index]);
  const source = value === null ? null : (merged.sources[index] ?? null);
  const breakdown = recorder.breakdowns.get(index);
  const shares =
    record.shares ?? breakdown?.shares ?? (value === null || source === null ? [] : [{ ordinal: source, value }]);
  const countedByOrdinal = new Map(value === null ? [] : shares.map((share) => [share.ordinal, share.value]));

  const key = consolidationKey(metric);
  const entry = consolidationEntry(key);
  if (!entry) throw new Error(`${metric} has no consolidation key`);
  const rowByOrdinal = new Map(day.rows.map((row) => [row.device, row]));
  const ranked = day.devices.toSorted(compareByPriority(metric));
  const devices = ranked.map(({ ordinal, provider }, at): ExplainedDevice => {
    const row = rowByOrdinal.get(ordinal);
    const ownValue = toNullable(row?.values[index]);
    return {
      ordinal,
      rank: at + 1,
      enabled: isEnabled(day.settings, key, provider),
      reported: ownValue === null ? null : kindOf(row, metric),
      ownValue,
      counted: countedByOrdinal.get(ordinal) ?? null,
    };
  });
  const providers = new Set(ranked.filter(({ ordinal }) => countedByOrdinal.has(ordinal)).map((each) => each.provider));
  return {
    value,
    source,
    rule: {
      key: entry.key,
      ...methodFor(day.settings, entry),
      averagedOver: value !== null && breakdown?.combination === 'mean' ? providers.size : null,
      sumOf: breakdown?.sumOf ?? null,
    },
    devices,
    periods: listPeriods(record, devices, rowByOrdinal),
    leftOut: devices.flatMap((device) => [
      ...listLeftOut(record, device),
      ...findCountedElsewhere(record, device, day.elsewhere),
    ]),
  };
}

const toNullable = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** What is derived for a metric of the night comes from sleep sessions and their stages. */
const kindOf = (row: NormalizedRow | undefined, metric: MetricId): ReportKind => {
  const { index, group } = metricRow(metric);
  const mark = row?.marks[index];
  if (mark === marks.derived && group === 'sleep') return 'night';
  return mark === marks.stated || mark === marks.night ? kindByMark[mark] : kindByMark[marks.derived];
};

/** What the merge did not record took no part in it: a disabled device, or one of lower rank. */
function listLeftOut({ leftOut }: MetricRecord, { ordinal, enabled, ownValue, counted }: ExplainedDevice): LeftOut[] {
  const recorded = leftOut.filter((each) => each.ordinal === ordinal);
  if (recorded.length > 0 || ownValue === null || counted !== null) return recorded;
  return [{ ordinal, value: ownValue, reason: enabled ? 'lower_rank' : 'disabled', periods: 0 }];
}

/**
 * Adds the periods of devices that did not compete by time. A total that a device states consists
 * of no periods.
 */
function listPeriods(
  { index, periods }: MetricRecord,
  devices: readonly ExplainedDevice[],
  rows: ReadonlyMap<number, NormalizedRow>,
): MeasuredPeriod[] {
  const recorded = new Set(periods.map(({ ordinal }) => ordinal));
  const others = devices.filter(({ ordinal, reported }) => reported === 'samples' && !recorded.has(ordinal));
  const whole = others.flatMap(({ ordinal, counted }) =>
    (rows.get(ordinal)?.timelines?.get(index)?.pieces ?? []).map(({ startMs, endMs, value }) => ({
      ordinal,
      startMs,
      endMs,
      value,
      counted: counted === null ? 0 : value,
    })),
  );
  const rankOf = new Map(devices.map(({ ordinal, rank }) => [ordinal, rank]));
  return [...periods, ...whole].sort(
    (a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (rankOf.get(a.ordinal) ?? 0) - (rankOf.get(b.ordinal) ?? 0),
  );
}

function findCountedElsewhere(
  { index }: MetricRecord,
  { ordinal }: ExplainedDevice,
  elsewhere: DayToExplain['elsewhere'],
): LeftOut[] {
  if (!elsewhere) return [];
  const { span, rows } = elsewhere;
  const pieces = rows
    .filter(({ device }) => device === ordinal)
    .flatMap((row) => [...(row.timelines?.get(index)?.pieces ?? [])])
    .filter((piece) => overlaps(piece, span) && piece.startMs < span.endMs);
  if (pieces.length === 0) return [];
  const value = pieces.reduce((sum, piece) => sum + piece.value * fractionWithin(piece, span), 0);
  return [{ ordinal, value, reason: 'counted_on_another_day', periods: pieces.length }];
}

const fractionWithin = ({ startMs, endMs }: Piece, span: Span): number =>
  startMs === endMs ? 1 : (Math.min(endMs, span.endMs) - Math.max(startMs, span.startMs)) / (endMs - startMs);
