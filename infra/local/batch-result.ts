// Parses the result of a function that handles batches.
import * as z from 'zod';

const BatchResult = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullish();

/**
 * The ids that the function reports as failed. A result of any other shape throws, which fails the
 * whole batch, as on AWS.
 */
export function readFailedIds(result: unknown): Set<string> {
  const { batchItemFailures } = BatchResult.parse(result ?? undefined) ?? {};
  return new Set(batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
}
