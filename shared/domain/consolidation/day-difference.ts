// From stored bytes to whether a day must be written again, without making objects for days that stay as they are.
import { type CanonicalRow, emptyCanonicalRow, unpackCanonicalRow } from '../../store/codec/canonical-day.ts';
import { type DeviceRow, unpackDeviceRows } from '../../store/codec/normalized-day.ts';
import { differs, type MergeDay } from './merge-day.ts';

export interface DayDifference {
  merged: CanonicalRow;
  stored: CanonicalRow;
}

/** The function it makes returns undefined for a day that stays; otherwise both rows, which hold until the next day is compared. */
export function compareDays(
  merge: MergeDay,
): (normalized: Uint8Array | undefined, stored: Uint8Array | undefined) => DayDifference | undefined {
  const pool: DeviceRow[] = [];
  const storedRow = emptyCanonicalRow();
  const absent = emptyCanonicalRow();
  return (normalized, stored) => {
    const merged = merge(normalized === undefined ? [] : unpackDeviceRows(normalized, pool));
    const before = stored === undefined ? absent : unpackCanonicalRow(stored, storedRow);
    return differs(merged, before) ? { merged, stored: before } : undefined;
  };
}
