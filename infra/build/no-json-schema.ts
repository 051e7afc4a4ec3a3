// Stands in for zod's JSON Schema writer in bundles of functions that describe nothing: schemas there only parse.

/** Every schema is given both methods when it is made, whether anybody calls them or not. */
const cannotDescribe = (): (() => never) => () => {
  throw new Error('this bundle cannot describe schemas: set `describesApi` on its function in the map');
};

export { cannotDescribe as createStandardJSONSchemaMethod, cannotDescribe as createToJSONSchemaMethod };
