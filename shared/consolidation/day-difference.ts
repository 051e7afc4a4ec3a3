// From stored bytes to whether a day must be written again, without making objects for days that stay as they are.
import { type CanonicalRow, emptyCanonicalRow, unpackCanonicalRow } from '../measurements/codec/canonical-day.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import { findOverlappingRows } from './adjacent-days.ts';
import { differs, type MergeDay } from './merge-day.ts';

export interface DayDifference {
  merged: CanonicalRow;
  stored: CanonicalRow;
}

/**
 * The function it makes returns undefined for a day that stays; otherwise both rows, which hold until the next day is compared. `adjacentDays` are the
 * days around, which matter where devices called the same hours by different days.
 */
export function createDayComparer(
  merge: MergeDay,
): (
  normalized: Uint8Array | undefined,
  stored: Uint8Array | undefined,
  adjacentDays?: readonly Uint8Array[],
) => DayDifference | undefined {
  const unpack = createUnpackCache();
  const storedRow = emptyCanonicalRow();
  const absent = emptyCanonicalRow();
  return (normalized, stored, adjacentDays = []) => {
    const rows = normalized === undefined ? [] : unpack(normalized);
    const merged = merge(rows, findOverlappingRows(rows, adjacentDays, unpack));
    const before = stored === undefined ? absent : unpackCanonicalRow(stored, storedRow);
    return differs(merged, before) ? { merged, stored: before } : undefined;
  };
}

interface UnpackedDay {
  bytes: Uint8Array | undefined;
  pool: NormalizedRow[];
  rows: NormalizedRow[];
}

/** More than a day and those beside it. */
const maxUnpackedDays = 8;

/** Days are looked at in order, and each beside several others: the last few stay open. */
function createUnpackCache(): (bytes: Uint8Array) => NormalizedRow[] {
  const slots = Array.from({ length: maxUnpackedDays }, (): UnpackedDay => ({ bytes: undefined, pool: [], rows: [] }));
  let next = 0;
  return (bytes) => {
    for (const slot of slots) if (slot.bytes === bytes) return slot.rows;
    const slot = slots[next % maxUnpackedDays];
    next++;
    if (slot === undefined) return unpackNormalizedRows(bytes);
    slot.rows = unpackNormalizedRows(bytes, slot.pool);
    slot.bytes = bytes;
    return slot.rows;
  };
}
