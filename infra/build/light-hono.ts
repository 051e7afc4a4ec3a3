// Keeps Hono and zod small in a bundle, with stand-ins for the parts that functions never call.
import path from 'node:path';
import type { Plugin } from 'esbuild';

const siblingPath = (name: string): string => path.join(import.meta.dirname, name);

/**
 * Replaces the runtime's globals, which load a whole HTTP client: 17% more CPU in a cold start.
 */
export const lightWebClasses = siblingPath('light-web.ts');

/**
 * With its generator, @hono/zod-openapi links all of zod into every function in order to extend it:
 * 310 kB in total, and 17% more CPU in a cold start.
 */
export const withoutOpenApiGenerator: Plugin = {
  name: 'without-openapi-generator',
  setup(build) {
    build.onResolve({ filter: /^(zod|@asteasolutions\/zod-to-openapi)$/ }, ({ importer }) =>
      /[\\/]@hono[\\/]zod-openapi[\\/]/.test(importer) ? { path: siblingPath('no-openapi-generator.ts') } : undefined,
    );
  },
};

/** Every zod schema references its JSON Schema conversion: 19 kB that no request needs. */
export const withoutSchemaWriter: Plugin = {
  name: 'without-schema-writer',
  setup(build) {
    build.onResolve({ filter: /\/(json-schema-processors|to-json-schema)\.js$/ }, ({ importer }) =>
      /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(importer)
        ? { path: siblingPath('no-schema-writer.ts') }
        : undefined,
    );
  },
};
