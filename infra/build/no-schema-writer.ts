// Stands in for zod's JSON Schema writer in bundles. Only the function that serves the OpenAPI
// document writes schemas; it is built with the real writer (`writesSchemas` in
// `infra/api-functions.ts`).

const refuse = () => (): never => {
  throw new Error('this bundle writes no JSON Schema: set writesSchemas for its function in infra/api-functions.ts');
};

export { refuse as createStandardJSONSchemaMethod, refuse as createToJSONSchemaMethod };
