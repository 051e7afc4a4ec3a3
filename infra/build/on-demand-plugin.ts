// Puts modules that are imported dynamically into a file of their own next to index.js, so that
// runs which never need them never compile them. Both files have their own copy of the modules that
// both import, so state that must be shared is passed in.
import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/**
 * Leaves dynamic imports of the project's own modules to run time. `entriesFor` lists what has to
 * be built for them.
 */
export function createOnDemandPlugin(): {
  plugin: Plugin;
  entriesFor(name: string, output: Output): Record<string, string>;
} {
  const sources = new Map<string, string>();
  const plugin: Plugin = {
    name: 'on-demand',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ kind, path: importPath, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = `./${path.basename(importPath, '.ts')}.js`;
        sources.set(file, path.resolve(resolveDir, importPath));
        return { path: file, external: true };
      });
    },
  };
  return {
    plugin,
    entriesFor: (name, { imports }) =>
      Object.fromEntries(
        imports.flatMap(({ path: file }) => {
          const source = sources.get(file);
          return source === undefined ? [] : [[path.join(name, path.basename(file, '.js')), source]];
        }),
      ),
  };
}

type Output = Pick<Metafile['outputs'][string], 'imports'>;
