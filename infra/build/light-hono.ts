// What keeps Hono light in a bundle: two stand-ins, each of which saves more than a tenth of a cold start.
import path from 'node:path';
import type { Plugin } from 'esbuild';

const beside = (name: string): string => path.join(import.meta.dirname, name);

/** In place of the runtime's globals, which load a whole HTTP client: 17 % more CPU cold. */
export const lightWebClasses = beside('light-web.ts');

/** With its generator, @hono/zod-openapi links all of zod into every function, to extend it: 310 kB together, and 17 % more CPU cold. */
export const withoutOpenApiGenerator: Plugin = {
  name: 'without-openapi-generator',
  setup(build) {
    build.onResolve({ filter: /^(zod|@asteasolutions\/zod-to-openapi)$/ }, ({ importer }) =>
      /[\\/]@hono[\\/]zod-openapi[\\/]/.test(importer) ? { path: beside('no-openapi-generator.ts') } : undefined,
    );
  },
};
