// How much is worked in together: what one transaction can finish, and what fits a worker's memory.
import type { RawUpload } from './raw-uploads.ts';

export const mostAtOnce = { uploads: 40, records: 200_000, furtherPieces: 2, days: 1_000 };

type Sized = Pick<RawUpload, 'pieces' | 'records' | 'from' | 'to'>;

const recordsIn = (uploads: readonly Sized[]): number => uploads.reduce((sum, { records }) => sum + records, 0);

export const isTooMuch = (uploads: readonly Sized[]): boolean =>
  recordsIn(uploads) > mostAtOnce.records ||
  uploads.reduce((sum, { pieces }) => sum + pieces - 1, 0) > mostAtOnce.furtherPieces ||
  daysIn(uploads) > mostAtOnce.days;

function daysIn(uploads: readonly Sized[]): number {
  const ends = uploads.flatMap(({ from, to }) => (from === '' ? [] : [Date.parse(from), Date.parse(to)]));
  return ends.length === 0 ? 0 : (Math.max(...ends) - Math.min(...ends)) / 86_400_000;
}
