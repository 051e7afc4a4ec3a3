// Replaces zod's JSON Schema writer in bundles. Only the function that serves the OpenAPI document
// writes schemas, and it is built with the real writer (`writesSchemas` in
// `infra/api-functions.ts`).

const createUnavailableMethod = () => (): never => {
  throw new Error('this bundle cannot write JSON Schema: set writesSchemas for its function in infra/api-functions.ts');
};

export {
  createUnavailableMethod as createStandardJSONSchemaMethod,
  createUnavailableMethod as createToJSONSchemaMethod,
};
