// What an upload does to one device's part of a day: totals that the source stated stay above values derived from its samples or sessions.
import { metricTable } from '../../model/metric-table.ts';
import { type MetricId, metricRow } from '../../model/metrics.ts';
import type { Original } from '../../model/records.ts';
import { type Span, type Timeline, TimelineMap, type Timelines } from '../../model/timeline.ts';
import {
  emptyNormalizedRow,
  type NormalizedRow,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../store/codec/normalized-day.ts';
import type { NormalizedItem } from '../../store/days.ts';

export interface DeviceDay {
  state(metric: MetricId, value: number, original: Original | undefined): void;
  /** A total that the source states no longer; a derived value is left as it is. */
  takeBack(metric: MetricId): void;
  /** Undefined takes the derived value away; a stated total is never touched. */
  derive(metric: MetricId, value: number | undefined, original?: Original): void;
  /** When it was measured, beside a stated total too; undefined takes it away. */
  time(metric: MetricId, timeline: Timeline | undefined): void;
}
export type DayChange = (day: DeviceDay) => void;

export interface ChangedDay {
  date: string;
  packed: Uint8Array;
  /** The revision it was read with; 0 for a new day. */
  revision: number;
  metrics: MetricId[];
}

export interface DeviceDayChange {
  /** Undefined when the day stays as it is. */
  changed: ChangedDay | undefined;
  /** The hours that the device measured, before and after. */
  spans: Span[];
}

export function changedDay(
  date: string,
  stored: NormalizedItem | undefined,
  device: number,
  changes: readonly DayChange[],
): DeviceDayChange {
  const rows = stored ? unpackNormalizedRows(stored.packed) : [];
  const before = rows.find((row) => row.device === device) ?? emptyNormalizedRow(device);
  const after = copyOf(before);
  for (const change of changes) change(editing(after));
  const others = rows.filter((row) => row !== before);
  const packed = packNormalizedRows(after.values.some((value) => !Number.isNaN(value)) ? [...others, after] : others);
  const spans = [before, after].flatMap(({ timelines }) => timelines?.span ?? []);
  if (stored ? sameDay(packed, stored.packed, rows) : others.length === 0 && isEmpty(after))
    return { changed: undefined, spans };
  return {
    changed: { date, packed, revision: stored?.revision ?? 0, metrics: differing(before, after) },
    spans,
  };
}

/** A day in an older layout is not written again only because it would be packed otherwise today. */
const sameDay = (packed: Uint8Array, stored: Uint8Array, rows: readonly NormalizedRow[]): boolean =>
  Buffer.compare(packed, stored) === 0 ||
  (packed[0] !== stored[0] && Buffer.compare(packed, packNormalizedRows(rows)) === 0);

const copyOf = (row: NormalizedRow): NormalizedRow => ({
  device: row.device,
  values: row.values.slice(),
  stated: row.stated.slice(),
  originals: new Map(row.originals),
  timelines: row.timelines,
});

const isEmpty = (row: NormalizedRow): boolean => row.values.every(Number.isNaN);

/** Copied only when one of them changes: packed timelines that nobody opened are written back as bytes. */
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

function editing(row: NormalizedRow): DeviceDay {
  const set = (index: number, value: number, stated: 0 | 1, original: Original | undefined) => {
    row.values[index] = value;
    row.stated[index] = stated;
    const originals = new Map(row.originals);
    if (original) originals.set(index, original);
    else originals.delete(index);
    row.originals = originals;
  };
  const isStated = (index: number): boolean => {
    const held = row.values[index];
    return held !== undefined && !Number.isNaN(held) && row.stated[index] === 1;
  };
  return {
    state: (metric, value, original) => set(metricRow(metric).index, value, 1, original),
    takeBack(metric) {
      const { index } = metricRow(metric);
      if (isStated(index)) set(index, Number.NaN, 0, undefined);
    },
    derive(metric, value, original) {
      const { index } = metricRow(metric);
      if (isStated(index)) return;
      set(index, value ?? Number.NaN, 0, value === undefined ? undefined : original);
    },
    time(metric, timeline) {
      row.timelines = withTimeline(row.timelines, metricRow(metric).index, timeline);
    },
  };
}

function differing(before: NormalizedRow, after: NormalizedRow): MetricId[] {
  return metricTable.flatMap(({ id, index }) => (Object.is(before.values[index], after.values[index]) ? [] : [id]));
}
