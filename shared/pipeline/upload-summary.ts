// What was rejected of the data of a user, in numbers: when it arrived, from which device, and why.
// Never the data.
import * as z from 'zod';
import { UploadKind } from '../catalog/upload-kinds.ts';
import { Timestamp } from '../platform/time/time.ts';
import { maxRejectionCounts, RejectionCount } from '../providers/kit/rejection-tally.ts';
import { DeviceId } from '../system/ids.ts';

export const uploadSummaryDays = 30;

export const UploadSummary = z
  .object({
    batch_id: z.string().meta({
      description: 'Identifies the batch, as in the response to the upload.',
      examples: ['bat_Zk1wQ0t5b2R4UjB2d3d3dw'],
    }),
    received_at: Timestamp.meta({ description: 'When the data arrived.' }),
    device_id: DeviceId.nullable().meta({
      description: 'The device; null if all records of an upload were rejected, because nothing is stored then.',
    }),
    kind: UploadKind,
    records: z
      .int()
      .min(0)
      .meta({ description: 'Number of records that arrived: accepted and rejected.', examples: [1_000] }),
    accepted: z
      .int()
      .min(0)
      .meta({ description: 'Number of records that were accepted.', examples: [997] }),
    rejected: z
      .int()
      .min(0)
      .meta({ description: 'Number of records or trace points that were rejected.', examples: [3] }),
    rejections: z.array(RejectionCount).meta({
      description: `Why records were rejected, the most frequent reasons first, at most ${maxRejectionCounts}.`,
    }),
  })
  .meta({
    id: 'UploadSummary',
    description: 'Data that arrived for a user and was rejected in part or as a whole, in numbers.',
  });
export type UploadSummary = z.infer<typeof UploadSummary>;
