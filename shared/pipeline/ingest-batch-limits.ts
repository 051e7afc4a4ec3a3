// How many uploads are ingested together: what one transaction can commit, and what fits in a
// worker's memory.
import type { RawUpload } from './raw-uploads.ts';

export const ingestBatchLimits = { uploads: 40, records: 200_000, extraChunks: 2, days: 1_000 };

type UploadSize = Pick<RawUpload, 'chunks' | 'records' | 'from' | 'to'>;

const sumRecords = (uploads: readonly UploadSize[]): number => uploads.reduce((sum, { records }) => sum + records, 0);

export const exceedsBatchLimits = (uploads: readonly UploadSize[]): boolean =>
  sumRecords(uploads) > ingestBatchLimits.records ||
  uploads.reduce((sum, { chunks }) => sum + chunks - 1, 0) > ingestBatchLimits.extraChunks ||
  countDays(uploads) > ingestBatchLimits.days;

function countDays(uploads: readonly UploadSize[]): number {
  const ends = uploads.flatMap(({ from, to }) => (from === '' ? [] : [Date.parse(from), Date.parse(to)]));
  return ends.length === 0 ? 0 : (Math.max(...ends) - Math.min(...ends)) / 86_400_000;
}
