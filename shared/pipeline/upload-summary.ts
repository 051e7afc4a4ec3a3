// What arrived for a user, in numbers: when, from which device, and what was rejected and why. Never
// the data.
import * as z from 'zod';
import { UploadKind } from '../catalog/upload-kinds.ts';
import { Timestamp } from '../platform/time/time.ts';
import { maxRejectionCounts, RejectionCount } from '../providers/kit/rejection-tally.ts';
import type { FailureCode } from '../system/failure.ts';
import { DeviceId } from '../system/ids.ts';

export const uploadSummaryDays = 30;

/** Failures that the app can prevent. The others are about the session, or pass. */
const uploadFailureCodes = [
  'invalid_body',
  'payload_too_large',
  'unsupported_media_type',
  'limit_reached',
] as const satisfies FailureCode[];

export const UploadFailureCode = z
  .enum(uploadFailureCodes)
  .meta({ id: 'UploadFailureCode', description: 'The code of the response.', examples: ['invalid_body'] });

export const UploadFailure = z
  .object({
    code: UploadFailureCode,
    message: z.string().meta({
      description: 'What is wrong with the upload, as in the response to it.',
      examples: ['The body is invalid: device: is required.'],
    }),
  })
  .meta({ id: 'UploadFailure', description: 'Why an upload failed. Nothing of it was stored.' });
export type UploadFailure = z.infer<typeof UploadFailure>;

export const UploadSummary = z
  .object({
    batch_id: z
      .string()
      .nullable()
      .meta({
        description: 'Identifies the batch, as in the response to the upload; null if the upload failed.',
        examples: ['bat_Zk1wQ0t5b2R4UjB2d3d3dw'],
      }),
    received_at: Timestamp.meta({ description: 'When the data arrived.' }),
    device_id: DeviceId.nullable().meta({
      description: 'The device; null if nothing of an upload was stored.',
    }),
    kind: UploadKind,
    records: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'Number of records that arrived, accepted and rejected, with unknown fields; null if the upload failed.',
        examples: [1_000],
      }),
    accepted: z
      .int()
      .min(0)
      .meta({ description: 'Number of records that were accepted.', examples: [997] }),
    rejected: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'Number of records, trace points and unknown fields that were rejected; null if the upload failed.',
        examples: [3],
      }),
    failure: UploadFailure.nullable().meta({
      description: 'Why the upload failed as a whole; null if its records were read.',
    }),
    rejections: z.array(RejectionCount).meta({
      description: `Why records were rejected, the most frequent reasons first, at most ${maxRejectionCounts}.`,
    }),
  })
  .meta({
    id: 'UploadSummary',
    description: 'Data that arrived for a user, in numbers.',
  });
export type UploadSummary = z.infer<typeof UploadSummary>;
