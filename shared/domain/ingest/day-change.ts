// What an upload does to one device's part of a day: totals that the source stated stay above values derived from its samples or sessions.
import { metricTable } from '../../model/metric-table.ts';
import { type MetricId, metricRow } from '../../model/metrics.ts';
import type { Original } from '../../model/records.ts';
import { type DeviceRow, emptyDeviceRow, packDeviceRows, unpackDeviceRows } from '../../store/codec/normalized-day.ts';
import type { NormalizedItem } from '../../store/days.ts';

export interface DeviceDay {
  state(metric: MetricId, value: number, original: Original | undefined): void;
  /** Undefined takes the derived value away; a stated total is never touched. */
  derive(metric: MetricId, value: number | undefined, original?: Original): void;
}
export type DayChange = (day: DeviceDay) => void;

export interface ChangedDay {
  date: string;
  packed: Uint8Array;
  /** The revision it was read with; 0 for a new day. */
  revision: number;
  metrics: MetricId[];
}

/** Undefined when the day stays as it is. */
export function changedDay(
  date: string,
  stored: NormalizedItem | undefined,
  device: number,
  changes: readonly DayChange[],
): ChangedDay | undefined {
  const rows = stored ? unpackDeviceRows(stored.packed) : [];
  const before = rows.find((row) => row.device === device) ?? emptyDeviceRow(device);
  const after = copyOf(before);
  for (const change of changes) change(editing(after));
  const others = rows.filter((row) => row !== before);
  const packed = packDeviceRows(after.values.some((value) => !Number.isNaN(value)) ? [...others, after] : others);
  if (stored ? Buffer.compare(packed, stored.packed) === 0 : others.length === 0 && isEmpty(after)) return undefined;
  return { date, packed, revision: stored?.revision ?? 0, metrics: differing(before, after) };
}

const copyOf = (row: DeviceRow): DeviceRow => ({
  device: row.device,
  values: row.values.slice(),
  stated: row.stated.slice(),
  originals: new Map(row.originals),
});

const isEmpty = (row: DeviceRow): boolean => row.values.every(Number.isNaN);

function editing(row: DeviceRow): DeviceDay {
  const set = (index: number, value: number, stated: 0 | 1, original: Original | undefined) => {
    row.values[index] = value;
    row.stated[index] = stated;
    const originals = new Map(row.originals);
    if (original) originals.set(index, original);
    else originals.delete(index);
    row.originals = originals;
  };
  return {
    state: (metric, value, original) => set(metricRow(metric).index, value, 1, original),
    derive(metric, value, original) {
      const { index } = metricRow(metric);
      const held = row.values[index];
      if (held !== undefined && !Number.isNaN(held) && row.stated[index] === 1) return;
      set(index, value ?? Number.NaN, 0, value === undefined ? undefined : original);
    },
  };
}

function differing(before: DeviceRow, after: DeviceRow): MetricId[] {
  return metricTable.flatMap(({ id, index }) => (Object.is(before.values[index], after.values[index]) ? [] : [id]));
}
