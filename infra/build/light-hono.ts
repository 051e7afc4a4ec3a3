// What keeps Hono and zod light in a bundle: stand-ins for what functions never call.
import path from 'node:path';
import type { Plugin } from 'esbuild';

const siblingPath = (name: string): string => path.join(import.meta.dirname, name);

/** In place of the runtime's globals, which load a whole HTTP client: 17 % more CPU cold. */
export const lightWebClasses = siblingPath('light-web.ts');

/** With its generator, @hono/zod-openapi links all of zod into every function, to extend it: 310 kB together, and 17 % more CPU cold. */
export const withoutOpenApiGenerator: Plugin = {
  name: 'without-openapi-generator',
  setup(build) {
    build.onResolve({ filter: /^(zod|@asteasolutions\/zod-to-openapi)$/ }, ({ importer }) =>
      /[\\/]@hono[\\/]zod-openapi[\\/]/.test(importer) ? { path: siblingPath('no-openapi-generator.ts') } : undefined,
    );
  },
};

/** Every zod schema carries its way to JSON Schema along: 19 kB that no request needs. */
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
