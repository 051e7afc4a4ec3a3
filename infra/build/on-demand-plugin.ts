// What a source imports only when it is needed becomes a file of its own beside index.js: whoever never needs it never compiles it.
// Both files hold their own copy of what both import, so the one is handed what must be the same in both.
import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** Dynamic imports of the project's own modules are left to run time; `entriesFor` says what has to be built for them. */
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
