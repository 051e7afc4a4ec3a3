// Where each daily value came from, and what that device reported before conversion.
import { type MetricId, metricRow } from '../../model/metrics.ts';
import type { ValueSource } from '../../model/source.ts';
import { decodeColumns, decodeSourceColumns } from '../../store/codec/columns.ts';
import { type DeviceRow as NormalizedRow, unpackDeviceRows } from '../../store/codec/normalized-day.ts';
import type { CanonicalItem, NormalizedItem } from '../../store/days.ts';
import type { DeviceRow } from '../../store/devices.ts';
import type { Subject } from '../subject.ts';

export function valueSources(
  { devices }: Subject,
  metrics: readonly MetricId[],
  dates: readonly string[],
  canonical: ReadonlyMap<string, CanonicalItem>,
  normalized: ReadonlyMap<string, NormalizedItem>,
): Partial<Record<MetricId, (ValueSource | null)[]>> {
  const byOrdinal = new Map(devices.map((device) => [device.ordinal, device]));
  const wanted = metrics.map((metric) => metricRow(metric).index);
  const packed = dates.map((date) => canonical.get(date)?.packed);
  const values = decodeColumns(packed, wanted);
  const sources = decodeSourceColumns(packed, wanted);
  const reported = dates.map((date) => reportsOf(normalized.get(date)));
  return Object.fromEntries(
    metrics.map((metric, column) => [
      metric,
      dates.map((_, day): ValueSource | null => {
        const device = byOrdinal.get(sources[column]?.[day] ?? -1);
        const value = values[column]?.[day];
        if (!device || value === undefined) return null;
        return sourceOf(device, metric, value, reported[day]?.get(device.ordinal));
      }),
    ]),
  );
}

const reportsOf = (day: NormalizedItem | undefined): ReadonlyMap<number, NormalizedRow> =>
  new Map(day ? unpackDeviceRows(day.packed).map((row) => [row.device, row]) : []);

/** What the device said, else (its day is on the move) the value that was taken from it. */
function sourceOf(
  device: DeviceRow,
  metric: MetricId,
  value: number,
  reported: NormalizedRow | undefined,
): ValueSource {
  const { index, unit } = metricRow(metric);
  const own = reported?.values[index];
  const original = reported?.originals?.get(index);
  return {
    provider: device.provider,
    device_id: device.id,
    original_value: original?.value ?? (own === undefined || Number.isNaN(own) ? value : own),
    original_unit: original?.unit ?? unit,
  };
}
