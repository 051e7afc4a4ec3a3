// How much is worked in together: what one transaction can finish, and what fits a worker's memory.
import type { BatchRow } from '../../store/batches.ts';

export const mostAtOnce = { batches: 40, records: 200_000, furtherPieces: 2, days: 1_000 };

type Sized = Pick<BatchRow, 'pieces' | 'from' | 'to'> & { records?: number | undefined };

/** Uploads of unknown size count as large ones. */
const recordsIfUnknown = 50_000;

export const recordsIn = (batches: readonly Sized[]): number =>
  batches.reduce((sum, { records }) => sum + (records ?? recordsIfUnknown), 0);

export const isTooMuch = (batches: readonly Sized[]): boolean =>
  recordsIn(batches) > mostAtOnce.records ||
  batches.reduce((sum, { pieces }) => sum + pieces - 1, 0) > mostAtOnce.furtherPieces ||
  daysIn(batches) > mostAtOnce.days;

function daysIn(batches: readonly Sized[]): number {
  const ends = batches.flatMap(({ from, to }) => (from === '' ? [] : [Date.parse(from), Date.parse(to)]));
  return ends.length === 0 ? 0 : (Math.max(...ends) - Math.min(...ends)) / 86_400_000;
}
