// Finds the device each daily value came from, the value it reported before conversion, and the
// other devices that contributed.

import { fromCanonical, type MetricId, metricRow } from '../../catalog/metrics.ts';
import { adjacentDates, findOverlappingRows } from '../../consolidation/adjacent-days.ts';
import { compileMerge, type MergeDay } from '../../consolidation/merge-day.ts';
import type { Share, ValueBreakdown } from '../../consolidation/merge-recorder.ts';
import { decodeSourceColumns } from '../../measurements/codec/columns.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../../measurements/codec/normalized-day.ts';
import type { Original } from '../../measurements/records.ts';
import type { CanonicalItem, NormalizedItem } from '../../measurements/rows/day-rows.ts';
import { removeSumNoise, restoreDecimal } from '../../platform/arithmetic.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { devicesWithData, mergeRuleOf, toRankedDevice, type UserContext } from '../../users/user-context.ts';
import type { DailyColumns } from './daily-columns.ts';

export interface DailyItems {
  canonical: ReadonlyMap<string, CanonicalItem>;
  /** Includes the adjacent days. */
  normalized: ReadonlyMap<string, NormalizedItem>;
}

/** The device that a daily value came from. */
export interface ValueOrigin {
  device: DeviceRow;
  /** The value the device reported before conversion, or its share of it. */
  original: Original;
  /**
   * The share of each device, highest-ranked first; empty unless the value combines several
   * devices.
   */
  contributors: { device: DeviceRow; value: number }[];
}

/**
 * Returns, per metric and date, the source device recorded in the stored day; undefined where there
 * is no value.
 */
export function findValueDevices(
  { devices }: Pick<UserContext, 'devices'>,
  { dates, metrics }: Pick<DailyColumns, 'dates' | 'metrics'>,
  canonical: DailyItems['canonical'],
): (DeviceRow | undefined)[][] {
  const byOrdinal = mapDevicesByOrdinal(devices);
  const sources = decodeSourceColumns(
    dates.map((date) => canonical.get(date)?.packed),
    metrics.map((metric) => metricRow(metric).index),
  );
  return sources.map((column) => Array.from(column, (ordinal) => byOrdinal.get(ordinal)));
}

const mapDevicesByOrdinal = (devices: readonly DeviceRow[]): ReadonlyMap<number, DeviceRow> =>
  new Map(devicesWithData(devices).map((device) => [device.ordinal, device]));

/** Returns one origin per metric and date; undefined where there is no value. */
export function findValueOrigins(
  userContext: UserContext,
  { dates, metrics, columns }: Pick<DailyColumns, 'dates' | 'metrics' | 'columns'>,
  { canonical, normalized }: DailyItems,
): (ValueOrigin | undefined)[][] {
  const byOrdinal = mapDevicesByOrdinal(userContext.devices);
  const sources = findValueDevices(userContext, { dates, metrics }, canonical);
  const reportedDays = readReportedDays(userContext, dates, { canonical, normalized });
  return metrics.map((metric, column) =>
    dates.map((_, at): ValueOrigin | undefined => {
      const device = sources[column]?.[at];
      const value = columns[column]?.[at];
      const day = reportedDays[at];
      if (!device || value === undefined || day === undefined) return undefined;
      const { shares, combination, sumOf } = day.getBreakdown(metric, value);
      // A mean is not the share of any device, so its original value is what the source device
      // reported for the whole day.
      const ownValue =
        combination === 'mean' ? undefined : shares.find(({ ordinal }) => ordinal === device.ordinal)?.value;
      // No device reported a sum of other metrics in this way.
      const reported = sumOf ? undefined : day.rows.get(device.ordinal);
      const original = findOriginal(metric, ownValue ?? value, reported, ownValue !== undefined);
      const contributed = combination === 'mean' ? shares : shares.filter((share) => share.value > 0);
      const contributors = contributed.flatMap((share) => toContributor(share, byOrdinal));
      return { device, original, contributors: contributors.length > 1 ? contributors : [] };
    }),
  );
}

interface ReportedDay {
  rows: ReadonlyMap<number, NormalizedRow>;
  /**
   * Returns no shares when the value comes from one device, or when the day is being recomputed and
   * its shares do not match the value.
   */
  getBreakdown(metric: MetricId, value: number): ValueBreakdown;
}

const noBreakdown: ValueBreakdown = { shares: [], combination: 'sum' };

function readReportedDays(
  { user, devices, state }: UserContext,
  dates: readonly string[],
  { canonical, normalized }: DailyItems,
): ReportedDay[] {
  const merges = new Map<number, MergeDay>();
  const ranked = devicesWithData(devices).map(toRankedDevice);
  const getMerge = (rule: number): MergeDay => {
    const merge = merges.get(rule) ?? compileMerge(ranked, state.settings, rule);
    merges.set(rule, merge);
    return merge;
  };
  const unpack = (bytes: Uint8Array): NormalizedRow[] => unpackNormalizedRows(bytes);
  return dates.map((date) => {
    const day = normalized.get(date);
    const rows = day ? unpack(day.packed) : [];
    const breakdowns = new Map<number, ValueBreakdown>();
    const adjacentDays = adjacentDates(date).flatMap((other) => normalized.get(other)?.packed ?? []);
    const merge = getMerge(mergeRuleOf(user, canonical.get(date)));
    const merged = merge(rows, findOverlappingRows(rows, adjacentDays, unpack), { breakdowns }).values.slice();
    return {
      rows: new Map(rows.map((row) => [row.device, row])),
      getBreakdown(metric, value) {
        const { index } = metricRow(metric);
        return (merged[index] === value ? breakdowns.get(index) : undefined) ?? noBreakdown;
      },
    };
  });
}

function toContributor(
  { ordinal, value }: Share,
  byOrdinal: ReadonlyMap<number, DeviceRow>,
): ValueOrigin['contributors'] {
  const device = byOrdinal.get(ordinal);
  return device ? [{ device, value: removeSumNoise(value) }] : [];
}

/**
 * Returns what the device reported, or its share of that. While the day is being recomputed,
 * returns the value that was taken from the device.
 */
function findOriginal(
  metric: MetricId,
  contributed: number,
  reported: NormalizedRow | undefined,
  isShare: boolean,
): Original {
  const { index, unit } = metricRow(metric);
  const ownValue = reported?.values[index];
  const original = reported?.originals?.get(index);
  const value = isShare || ownValue === undefined || Number.isNaN(ownValue) ? contributed : ownValue;
  if (value === ownValue) return original ?? { value, unit };
  const total = reported?.timelines?.get(index)?.total ?? value;
  const toOriginalUnit = (amount: number): number | undefined =>
    original && fromCanonical(metric, amount, original.unit);
  const [valueInUnit, totalInUnit] = [toOriginalUnit(value), toOriginalUnit(total)];
  if (original === undefined || valueInUnit === undefined || totalInUnit === undefined)
    return { value: restoreDecimal(value, total), unit };
  return { value: restoreDecimal(valueInUnit, totalInUnit), unit: original.unit };
}
