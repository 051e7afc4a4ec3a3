// The response to an upload.
import * as z from 'zod';
import { maxReportedFields, maxReportedRejections } from './upload-limits.ts';

export const RejectionCode = z
  .enum([
    'unknown_metric',
    'invalid_unit',
    'implausible_value',
    'invalid_time',
    'invalid_record',
    'insufficient_scope',
    'limit_exceeded',
  ])
  .meta({ id: 'RejectionCode', description: 'Why the record was rejected.', examples: ['implausible_value'] });
export type RejectionCode = z.infer<typeof RejectionCode>;

export const Rejection = z
  .object({
    path: z.string().meta({
      description: 'Path of the first problem of the record in the request body.',
      examples: ['samples.12.value'],
    }),
    code: RejectionCode,
    message: z.string().meta({
      description: 'What is wrong with the record.',
      examples: ['heart_rate must be between 20 and 300 bpm.'],
    }),
  })
  .meta({ id: 'Rejection', description: 'A record, a trace point or an unknown field that was not stored.' });
export type Rejection = z.infer<typeof Rejection>;

export const UploadAccepted = z
  .object({
    batch_id: z.string().meta({
      description: 'Identifies the stored batch. Sending the same batch again returns the same id.',
      examples: ['bat_Zk1wQ0t5b2R4UjB2d3d3dw'],
    }),
    accepted: z
      .int()
      .min(0)
      .meta({ description: 'Number of records that were stored.', examples: [997] }),
    rejected_count: z
      .int()
      .min(0)
      .meta({ description: 'Number of records, trace points and unknown fields that were rejected.', examples: [0] }),
    rejected: z.array(Rejection).meta({
      description: `The first ${maxReportedRejections} rejections, at most ${maxReportedFields} of them for unknown fields. Everything else is stored.`,
    }),
  })
  .meta({ id: 'UploadAccepted', description: 'The outcome of an upload.' });
export type UploadAccepted = z.infer<typeof UploadAccepted>;
