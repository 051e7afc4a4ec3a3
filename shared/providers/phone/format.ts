// The stored format of Mobile SDK uploads: the body of an upload with its valid records, as JSON.

import type { RawBatch, SourceFormat } from '../kit/normalizer.ts';
import { splitUpload } from './split-upload.ts';
import type { UploadBody } from './upload.ts';

export const sdkFormat = { source: 'sdk', format: 1 } as const satisfies SourceFormat;

export function toRawUpload(body: UploadBody): RawBatch {
  const content = JSON.stringify(body);
  return {
    ...sdkFormat,
    timeZone: body.time_zone,
    content,
    chunks() {
      const chunks = splitUpload(body);
      return chunks.map(({ records, from, to }) => ({
        content: chunks.length === 1 ? content : JSON.stringify(records),
        records: countRecords(records),
        from,
        to,
      }));
    },
  };
}

export const countRecords = ({ samples, daily, sleep, workouts }: UploadBody): number =>
  samples.length + daily.length + sleep.length + workouts.length;
