// In the place of a worker whose work is not to be counted.
import { lambda } from '../../functions/runtime/lambda.ts';

export const handler = lambda(() => async () => ({ batchItemFailures: [] }));
