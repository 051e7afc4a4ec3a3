// Counts rejected records by reason, without anything of the records themselves.
import * as z from 'zod';
import type { SampleId } from '../../catalog/metrics.ts';
import { type Rejection, RejectionCode } from './upload-response.ts';

/** Null for a record that names no known metric. */
export type RejectedSubject = SampleId | 'sleep' | 'workouts' | null;

export const RejectionCount = z
  .object({
    code: RejectionCode,
    metric: z
      .string()
      .nullable()
      .meta({
        description:
          'The metric of the records; `sleep` or `workouts` for sessions, and null if they name no known metric.',
        examples: ['heart_rate'],
      }),
    message: z.string().meta({
      description: 'What is wrong with the records, as in the response to the upload.',
      examples: ['heart_rate must be between 20 and 300 bpm.'],
    }),
    count: z
      .int()
      .min(1)
      .meta({ description: 'Number of records, trace points or unknown fields.', examples: [3] }),
  })
  .meta({ id: 'RejectionCount', description: 'How many records were rejected for one reason.' });
export type RejectionCount = z.infer<typeof RejectionCount>;

/** Few enough for a row of less than 4 kB. */
export const maxRejectionCounts = 16;

export class RejectionTally {
  readonly #counts = new Map<string, RejectionCount>();

  add({ code, message }: Pick<Rejection, 'code' | 'message'>, metric: RejectedSubject): void {
    const name = `${code} ${metric} ${message}`;
    const counted = this.#counts.get(name);
    if (counted) counted.count++;
    else this.#counts.set(name, { code, metric, message, count: 1 });
  }

  /** The most frequent ones first. */
  list(): RejectionCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count).slice(0, maxRejectionCounts);
  }
}
