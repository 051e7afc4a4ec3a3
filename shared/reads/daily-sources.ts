// Where each daily value came from, what that device reported before conversion, and who else had a share in it.
import { datesBeside, touching } from '../domain/consolidation/beside.ts';
import type { Share } from '../domain/consolidation/by-period.ts';
import { compileMerge } from '../domain/consolidation/merge-day.ts';
import { activeDevices, believed, type Subject } from '../domain/users/subject.ts';
import { fromCanonical, type MetricId, metricRow } from '../model/metrics.ts';
import type { UnitSystem } from '../model/read-parameters.ts';
import type { Contributor, ValueSource } from '../model/source.ts';
import { decodeColumns, decodeSourceColumns } from '../store/codec/columns.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../store/codec/normalized-day.ts';
import type { CanonicalItem, NormalizedItem } from '../store/days.ts';
import type { DeviceRow } from '../store/devices.ts';
import { presentValue } from './present-value.ts';

export interface ReadDays {
  canonical: ReadonlyMap<string, CanonicalItem>;
  /** Those beside the dates included. */
  normalized: ReadonlyMap<string, NormalizedItem>;
}

export function valueSources(
  subject: Subject,
  metrics: readonly MetricId[],
  dates: readonly string[],
  { canonical, normalized }: ReadDays,
  unitSystem: UnitSystem,
): Partial<Record<MetricId, (ValueSource | null)[]>> {
  const byOrdinal = new Map(subject.devices.map((device) => [device.ordinal, device]));
  const wanted = metrics.map((metric) => metricRow(metric).index);
  const packed = dates.map((date) => canonical.get(date)?.packed);
  const values = decodeColumns(packed, wanted);
  const sources = decodeSourceColumns(packed, wanted);
  const said = saidOn(subject, dates, normalized);
  return Object.fromEntries(
    metrics.map((metric, column) => [
      metric,
      dates.map((_, at): ValueSource | null => {
        const device = byOrdinal.get(sources[column]?.[at] ?? -1);
        const value = values[column]?.[at];
        const day = said[at];
        if (!device || value === undefined || day === undefined) return null;
        const shares = day.sharesOf(metric, value);
        const own = shares.find(({ ordinal }) => ordinal === device.ordinal)?.value;
        const source = sourceOf(device, metric, own ?? value, day.rows.get(device.ordinal), own !== undefined);
        const contributors = shares
          .filter((share) => share.value > 0)
          .flatMap((share) => contributor(metric, share, byOrdinal, unitSystem));
        return contributors.length > 1 ? { ...source, contributors } : source;
      }),
    ]),
  );
}

interface SaidDay {
  rows: ReadonlyMap<number, NormalizedRow>;
  /** None when the value is not made of shares, or the day is on the move and they do not come to it. */
  sharesOf(metric: MetricId, value: number): Share[];
}

function saidOn(
  { devices, state }: Subject,
  dates: readonly string[],
  normalized: ReadonlyMap<string, NormalizedItem>,
): SaidDay[] {
  const merge = compileMerge(activeDevices(devices).map(believed), state.settings);
  const open = (bytes: Uint8Array): NormalizedRow[] => unpackNormalizedRows(bytes);
  return dates.map((date) => {
    const day = normalized.get(date);
    const rows = day ? open(day.packed) : [];
    const shares = new Map<number, Share[]>();
    const beside = datesBeside(date).flatMap((other) => normalized.get(other)?.packed ?? []);
    const merged = merge(rows, touching(rows, beside, open), shares).values.slice();
    return {
      rows: new Map(rows.map((row) => [row.device, row])),
      sharesOf(metric, value) {
        const { index } = metricRow(metric);
        return merged[index] === value ? (shares.get(index) ?? []) : [];
      },
    };
  });
}

function contributor(
  metric: MetricId,
  { ordinal, value }: Share,
  byOrdinal: ReadonlyMap<number, DeviceRow>,
  unitSystem: UnitSystem,
): Contributor[] {
  const device = byOrdinal.get(ordinal);
  if (!device) return [];
  return [{ device_id: device.id, provider: device.provider, value: presentValue(metric, value, unitSystem) }];
}

/** What the device said, or its share of that; else (its day is on the move) the value that was taken from it. */
function sourceOf(
  device: DeviceRow,
  metric: MetricId,
  given: number,
  reported: NormalizedRow | undefined,
  isShare: boolean,
): ValueSource {
  const { index, unit } = metricRow(metric);
  const own = reported?.values[index];
  const original = reported?.originals?.get(index);
  const value = isShare || own === undefined || Number.isNaN(own) ? given : own;
  const said = original && value === own ? original.value : original && fromCanonical(metric, value, original.unit);
  return {
    provider: device.provider,
    device_id: device.id,
    original_value: said ?? value,
    original_unit: said === undefined ? unit : (original?.unit ?? unit),
  };
}
