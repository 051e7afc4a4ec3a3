// What an upload is answered with.
import * as z from 'zod';
import { maxReportedRejections } from './upload-limits.ts';

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
  .meta({ description: 'Why the record was rejected.', examples: ['implausible_value'] });
export type RejectionCode = z.infer<typeof RejectionCode>;

export const Rejection = z
  .object({
    path: z
      .string()
      .meta({ description: 'The path of the record’s first problem in the body.', examples: ['samples.12.value'] }),
    code: RejectionCode,
    message: z.string().meta({
      description: 'What to do about it.',
      examples: ['heart_rate must be between 20 and 300 bpm.'],
    }),
  })
  .meta({ id: 'Rejection', description: 'A record, or a point of a trace, that was not stored.' });
export type Rejection = z.infer<typeof Rejection>;

export const UploadAccepted = z
  .object({
    batch_id: z.string().meta({
      description: 'Identifies what was stored; sending the same batch again returns the same id.',
      examples: ['bat_Zk1wQ0t5b2R4UjB2d3d3dw'],
    }),
    accepted: z
      .int()
      .min(0)
      .meta({ description: 'How many records are stored.', examples: [997] }),
    rejected_count: z
      .int()
      .min(0)
      .meta({ description: 'How many records, or points of a trace, were rejected.', examples: [0] }),
    rejected: z
      .array(Rejection)
      .meta({ description: `The first ${maxReportedRejections} rejections; everything else is stored.` }),
  })
  .meta({ id: 'UploadAccepted', description: 'The outcome of an upload.' });
export type UploadAccepted = z.infer<typeof UploadAccepted>;
