// Stands in for the generator behind @hono/zod-openapi in bundles. Functions serve routes; the one that serves the OpenAPI document
// has it written by the generator itself (`shared/http/openapi.ts`), not by way of its routes.

export class OpenAPIRegistry {
  readonly definitions: never[] = [];
  registerPath(): void {}
}

/** For schemas written as `z.string().openapi(…)`, of which there are none here: names are given by `.meta`. */
export function extendZodWithOpenApi(): void {}

/** All of zod, only to be extended. */
export const z = {};

class Generator {
  constructor() {
    throw new Error('bundles hold no generator: have the document written by shared/http/openapi.ts');
  }
}

export { Generator as OpenApiGeneratorV3, Generator as OpenApiGeneratorV31 };

export const getOpenApiMetadata = (): Generator => new Generator();
