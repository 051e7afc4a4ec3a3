// Where each daily value came from, what that device reported before conversion, and who else had a share in it.

import { fromCanonical, type MetricId, metricRow } from '../../catalog/metrics.ts';
import { datesBeside, touching } from '../../consolidation/beside.ts';
import type { Parts, Share } from '../../consolidation/by-period.ts';
import { compileMerge } from '../../consolidation/merge-day.ts';
import { decodeSourceColumns } from '../../measurements/codec/columns.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../../measurements/codec/normalized-day.ts';
import type { Original } from '../../measurements/records.ts';
import type { CanonicalItem, NormalizedItem } from '../../measurements/rows/day-rows.ts';
import { asWritten, withoutNoiseOfParts } from '../../platform/arithmetic.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { believed, devicesWithData, type Subject } from '../../users/subject.ts';
import type { DailyColumns } from './daily-columns.ts';

export interface ReadDays {
  canonical: ReadonlyMap<string, CanonicalItem>;
  /** Those beside the dates included. */
  normalized: ReadonlyMap<string, NormalizedItem>;
}

/** A device that a daily value came from. */
export interface ValueOrigin {
  device: DeviceRow;
  /** What the device said before conversion, or its share of that. */
  original: Original;
  /** What each device gave, the most believed first; none unless the value was made of what several gave. */
  contributors: { device: DeviceRow; value: number }[];
}

/** By metric, one a date: the device that a stored day names; undefined where there is no value. */
export function valueDevices(
  { devices }: Pick<Subject, 'devices'>,
  { dates, metrics }: Pick<DailyColumns, 'dates' | 'metrics'>,
  canonical: ReadDays['canonical'],
): (DeviceRow | undefined)[][] {
  const byOrdinal = ordinalsOf(devices);
  const sources = decodeSourceColumns(
    dates.map((date) => canonical.get(date)?.packed),
    metrics.map((metric) => metricRow(metric).index),
  );
  return sources.map((column) => Array.from(column, (ordinal) => byOrdinal.get(ordinal)));
}

const ordinalsOf = (devices: readonly DeviceRow[]): ReadonlyMap<number, DeviceRow> =>
  new Map(devicesWithData(devices).map((device) => [device.ordinal, device]));

/** By metric, one a date; undefined where there is no value. */
export function valueOrigins(
  subject: Subject,
  { dates, metrics, columns }: Pick<DailyColumns, 'dates' | 'metrics' | 'columns'>,
  { canonical, normalized }: ReadDays,
): (ValueOrigin | undefined)[][] {
  const byOrdinal = ordinalsOf(subject.devices);
  const sources = valueDevices(subject, { dates, metrics }, canonical);
  const said = saidOn(subject, dates, normalized);
  return metrics.map((metric, column) =>
    dates.map((_, at): ValueOrigin | undefined => {
      const device = sources[column]?.[at];
      const value = columns[column]?.[at];
      const day = said[at];
      if (!device || value === undefined || day === undefined) return undefined;
      const { shares, as } = day.partsOf(metric, value);
      // A mean is nobody's share: its source is told with what that device says of the whole day.
      const own = as === 'mean' ? undefined : shares.find(({ ordinal }) => ordinal === device.ordinal)?.value;
      const original = originalOf(metric, own ?? value, day.rows.get(device.ordinal), own !== undefined);
      const given = as === 'mean' ? shares : shares.filter((share) => share.value > 0);
      const contributors = given.flatMap((share) => contributor(share, byOrdinal));
      return { device, original, contributors: contributors.length > 1 ? contributors : [] };
    }),
  );
}

interface SaidDay {
  rows: ReadonlyMap<number, NormalizedRow>;
  /** None when the value is one device's, or the day is on the move and they do not come to it. */
  partsOf(metric: MetricId, value: number): Parts;
}

const noParts: Parts = { shares: [], as: 'sum' };

function saidOn(
  { devices, state }: Subject,
  dates: readonly string[],
  normalized: ReadonlyMap<string, NormalizedItem>,
): SaidDay[] {
  const merge = compileMerge(devicesWithData(devices).map(believed), state.settings);
  const open = (bytes: Uint8Array): NormalizedRow[] => unpackNormalizedRows(bytes);
  return dates.map((date) => {
    const day = normalized.get(date);
    const rows = day ? open(day.packed) : [];
    const parts = new Map<number, Parts>();
    const beside = datesBeside(date).flatMap((other) => normalized.get(other)?.packed ?? []);
    const merged = merge(rows, touching(rows, beside, open), parts).values.slice();
    return {
      rows: new Map(rows.map((row) => [row.device, row])),
      partsOf(metric, value) {
        const { index } = metricRow(metric);
        return (merged[index] === value ? parts.get(index) : undefined) ?? noParts;
      },
    };
  });
}

function contributor(
  { ordinal, value }: Share,
  byOrdinal: ReadonlyMap<number, DeviceRow>,
): ValueOrigin['contributors'] {
  const device = byOrdinal.get(ordinal);
  return device ? [{ device, value: withoutNoiseOfParts(value) }] : [];
}

/** What the device said, or its share of that; else (its day is on the move) the value that was taken from it. */
function originalOf(metric: MetricId, given: number, reported: NormalizedRow | undefined, isShare: boolean): Original {
  const { index, unit } = metricRow(metric);
  const own = reported?.values[index];
  const original = reported?.originals?.get(index);
  const value = isShare || own === undefined || Number.isNaN(own) ? given : own;
  if (value === own) return original ?? { value, unit };
  const total = reported?.timelines?.get(index)?.total ?? value;
  const inUnit = (amount: number): number | undefined => original && fromCanonical(metric, amount, original.unit);
  const [said, ofAll] = [inUnit(value), inUnit(total)];
  if (original === undefined || said === undefined || ofAll === undefined)
    return { value: asWritten(value, total), unit };
  return { value: asWritten(said, ofAll), unit: original.unit };
}
