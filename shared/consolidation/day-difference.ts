// From stored bytes to whether a day must be written again, without making objects for days that stay as they are.
import { type CanonicalRow, emptyCanonicalRow, unpackCanonicalRow } from '../measurements/codec/canonical-day.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import { touching } from './beside.ts';
import { differs, type MergeDay } from './merge-day.ts';

export interface DayDifference {
  merged: CanonicalRow;
  stored: CanonicalRow;
}

/**
 * The function it makes returns undefined for a day that stays; otherwise both rows, which hold until the next day is compared. `beside` are the
 * days around, which matter where devices called the same hours by different days.
 */
export function compareDays(
  merge: MergeDay,
): (
  normalized: Uint8Array | undefined,
  stored: Uint8Array | undefined,
  beside?: readonly Uint8Array[],
) => DayDifference | undefined {
  const open = lastOpened();
  const storedRow = emptyCanonicalRow();
  const absent = emptyCanonicalRow();
  return (normalized, stored, beside = []) => {
    const rows = normalized === undefined ? [] : open(normalized);
    const merged = merge(rows, touching(rows, beside, open));
    const before = stored === undefined ? absent : unpackCanonicalRow(stored, storedRow);
    return differs(merged, before) ? { merged, stored: before } : undefined;
  };
}

interface OpenDay {
  bytes: Uint8Array | undefined;
  pool: NormalizedRow[];
  rows: NormalizedRow[];
}

/** More than a day and those beside it. */
const mostOpen = 8;

/** Days are looked at in order, and each beside several others: the last few stay open. */
function lastOpened(): (bytes: Uint8Array) => NormalizedRow[] {
  const slots = Array.from({ length: mostOpen }, (): OpenDay => ({ bytes: undefined, pool: [], rows: [] }));
  let next = 0;
  return (bytes) => {
    for (const slot of slots) if (slot.bytes === bytes) return slot.rows;
    const slot = slots[next % mostOpen];
    next++;
    if (slot === undefined) return unpackNormalizedRows(bytes);
    slot.rows = unpackNormalizedRows(bytes, slot.pool);
    slot.bytes = bytes;
    return slot.rows;
  };
}
