// Stands for the SDK's credential chain in the bundles of functions, which are given their credentials by the connection.
export const defaultProvider = () => async (): Promise<never> => {
  throw new Error('A function signs with the credentials of its environment: pass them to the client.');
};
