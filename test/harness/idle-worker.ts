// Replaces a worker whose work must not be counted.
import { lambda } from '../../functions/runtime/lambda.ts';

export const handler = lambda(() => async () => ({ batchItemFailures: [] }));
