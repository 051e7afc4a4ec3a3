// Decides from the stored bytes whether a day must be rewritten, without allocating objects for
// days that do not change.
import { type CanonicalRow, emptyCanonicalRow, unpackCanonicalRow } from '../measurements/codec/canonical-day.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import { findOverlappingRows } from './adjacent-days.ts';
import { differs, type MergeDay } from './merge-day.ts';

export interface DayDifference {
  merged: CanonicalRow;
  stored: CanonicalRow;
}

/**
 * The returned function yields undefined for an unchanged day, otherwise both rows. The rows are
 * overwritten when the next day is compared. `adjacentDays` matter when devices assign the same
 * hours to different dates.
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

/** More than one day and its adjacent days. */
const maxUnpackedDays = 8;

/**
 * Caches the last few unpacked days: days are processed in order, and each is also read as an
 * adjacent day of several others.
 */
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
