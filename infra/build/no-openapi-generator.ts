// Replaces the generator behind @hono/zod-openapi in bundles. Functions only serve routes; the one
// that serves the OpenAPI document calls the generator directly (`shared/http/openapi.ts`).

export class OpenAPIRegistry {
  readonly definitions: never[] = [];
  registerPath(): void {}
}

/**
 * Only needed for schemas written as `z.string().openapi(…)`. This project has none: it names
 * schemas with `.meta`.
 */
export function extendZodWithOpenApi(): void {}

/** The generator only imports zod to extend it. */
export const z = {};

class Generator {
  constructor() {
    throw new Error('bundles do not include the generator: build the document with shared/http/openapi.ts');
  }
}

export { Generator as OpenApiGeneratorV3, Generator as OpenApiGeneratorV31 };

export const getOpenApiMetadata = (): Generator => new Generator();
