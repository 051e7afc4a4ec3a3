// Counts rejected records by code and metric, without anything of the records themselves.
import * as z from 'zod';
import type { SampleId } from '../../catalog/metrics.ts';
import { RejectionCode } from './upload-response.ts';

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
    count: z
      .int()
      .min(1)
      .meta({ description: 'Number of records or trace points.', examples: [3] }),
  })
  .meta({ id: 'RejectionCount', description: 'How many records were rejected for one reason.' });
export type RejectionCount = z.infer<typeof RejectionCount>;

/** Few enough for a row of less than 4 kB. */
export const maxRejectionCounts = 24;

export class RejectionTally {
  readonly #counts = new Map<string, RejectionCount>();

  add(code: RejectionCode, metric: RejectedSubject): void {
    const name = `${code} ${metric}`;
    const counted = this.#counts.get(name);
    if (counted) counted.count++;
    else this.#counts.set(name, { code, metric, count: 1 });
  }

  /** The most frequent ones first. */
  list(): RejectionCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count).slice(0, maxRejectionCounts);
  }
}
