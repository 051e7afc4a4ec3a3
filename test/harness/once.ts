/**
 * Creates a value on first use and returns the same one afterwards. A failed attempt is retried.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let instance: Promise<T> | undefined;
  return () => {
    instance ??= make().catch((error) => {
      instance = undefined;
      throw error;
    });
    return instance;
  };
}
