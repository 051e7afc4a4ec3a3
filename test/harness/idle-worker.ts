// In the place of a worker whose work is not to be counted.
export const handler = async () => ({ batchItemFailures: [] });
