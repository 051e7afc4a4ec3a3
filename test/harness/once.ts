/** Makes it when it is needed first, and gives the same to all; what failed is tried again. */
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
