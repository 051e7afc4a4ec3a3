// Applies an upload to one device's part of a day. Totals stated by the source take precedence over
// night summaries, and both take precedence over values derived from samples or sessions.
import { metricTable } from '../catalog/metric-table.ts';
import { type MetricId, metricRow } from '../catalog/metrics.ts';
import {
  emptyNormalizedRow,
  type Mark,
  marks,
  type NormalizedRow,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../measurements/codec/normalized-day.ts';
import type { Original, SummaryValue } from '../measurements/records.ts';
import type { NormalizedItem } from '../measurements/rows/day-rows.ts';
import { type Span, type Timeline, TimelineMap, type Timelines } from '../measurements/timeline.ts';

export interface DeviceDayEditor {
  setStated(metric: MetricId, value: number, original: Original | undefined): void;
  /** Removes a total that the source no longer states. A derived value is left unchanged. */
  retractStated(metric: MetricId): void;
  /** Replaces all values from the day's night summaries. A stated total is never changed. */
  setSummary(summary: ReadonlyMap<MetricId, SummaryValue>): void;
  /**
   * Undefined removes the derived value. A value that is stated, or comes from a night summary, is
   * never changed.
   */
  setDerived(metric: MetricId, value: number | undefined, original?: Original): void;
  /** Sets when the metric was measured, even where a total is stated; undefined removes it. */
  setTimeline(metric: MetricId, timeline: Timeline | undefined): void;
}
export type DayChange = (day: DeviceDayEditor) => void;

export interface ChangedDay {
  date: string;
  packed: Uint8Array;
  /** The revision it was read with; 0 for a new day. */
  revision: number;
  metrics: MetricId[];
}

export interface DeviceDayChange {
  /** Undefined when the day does not change. */
  changed: ChangedDay | undefined;
  /** The time spans that the device measured, before and after the change. */
  spans: Span[];
}

export function applyDayChanges(
  date: string,
  stored: NormalizedItem | undefined,
  device: number,
  changes: readonly DayChange[],
): DeviceDayChange {
  const rows = stored ? unpackNormalizedRows(stored.packed) : [];
  const before = rows.find((row) => row.device === device) ?? emptyNormalizedRow(device);
  const after = copyRow(before);
  for (const change of changes) change(createDayEditor(after));
  const others = rows.filter((row) => row !== before);
  const packed = packNormalizedRows(after.values.some((value) => !Number.isNaN(value)) ? [...others, after] : others);
  const spans = [before, after].flatMap(({ timelines }) => timelines?.span ?? []);
  if (stored ? Buffer.compare(packed, stored.packed) === 0 : others.length === 0 && isEmpty(after))
    return { changed: undefined, spans };
  return {
    changed: { date, packed, revision: stored?.revision ?? 0, metrics: findChangedMetrics(before, after) },
    spans,
  };
}

const copyRow = (row: NormalizedRow): NormalizedRow => ({
  device: row.device,
  values: row.values.slice(),
  marks: row.marks.slice(),
  originals: new Map(row.originals),
  timelines: row.timelines,
});

const isEmpty = (row: NormalizedRow): boolean => row.values.every(Number.isNaN);

/**
 * Copied only when a timeline changes: packed timelines that were never opened are written back as
 * bytes.
 */
function withTimeline(
  timelines: Timelines | undefined,
  index: number,
  timeline: Timeline | undefined,
): Timelines | undefined {
  if (timeline === undefined && !timelines?.has(index)) return timelines;
  const map = new TimelineMap(timelines ?? []);
  if (timeline) map.set(index, timeline);
  else map.delete(index);
  return map.size === 0 ? undefined : map;
}

function createDayEditor(row: NormalizedRow): DeviceDayEditor {
  const set = (index: number, value: number, mark: Mark, original: Original | undefined) => {
    row.values[index] = value;
    row.marks[index] = mark;
    const originals = new Map(row.originals);
    if (original) originals.set(index, original);
    else originals.delete(index);
    row.originals = originals;
  };
  const markOf = (index: number): number | undefined =>
    Number.isNaN(row.values[index] ?? Number.NaN) ? undefined : row.marks[index];
  return {
    setStated: (metric, value, original) => set(metricRow(metric).index, value, marks.stated, original),
    retractStated(metric) {
      const { index } = metricRow(metric);
      if (markOf(index) === marks.stated) set(index, Number.NaN, marks.derived, undefined);
    },
    setSummary(summary) {
      for (const { id, index } of metricTable) {
        const now = summary.get(id);
        const mark = markOf(index);
        if (now && mark !== marks.stated) set(index, now.value, marks.night, now.original);
        else if (!now && mark === marks.night) set(index, Number.NaN, marks.derived, undefined);
      }
    },
    setDerived(metric, value, original) {
      const { index } = metricRow(metric);
      const mark = markOf(index);
      if (mark === marks.stated || mark === marks.night) return;
      set(index, value ?? Number.NaN, marks.derived, value === undefined ? undefined : original);
    },
    setTimeline(metric, timeline) {
      row.timelines = withTimeline(row.timelines, metricRow(metric).index, timeline);
    },
  };
}

function findChangedMetrics(before: NormalizedRow, after: NormalizedRow): MetricId[] {
  return metricTable.flatMap(({ id, index }) => (Object.is(before.values[index], after.values[index]) ? [] : [id]));
}
