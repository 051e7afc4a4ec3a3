// What a function that takes batches says about them.
import * as z from 'zod';

const BatchResult = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullish();

/** The identifiers it reports as failed; a result of another shape throws, which fails the whole batch as on AWS. */
export function readFailedIds(result: unknown): Set<string> {
  const { batchItemFailures } = BatchResult.parse(result ?? undefined) ?? {};
  return new Set(batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
}
