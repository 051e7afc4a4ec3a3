// Replaces the SDK's credential chain in bundles, where functions get their credentials from the
// connection.
export const defaultProvider = () => async (): Promise<never> => {
  throw new Error('A function signs with the credentials in its environment: pass them to the client.');
};
