// Lets a page run the product's own code: `import { script } from './x.ts?browser'` gives the text
// of a script that bundles the module for browsers.
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

const suffix = '?browser';

export const isBrowserScript = (id: string): boolean => id.endsWith(suffix);

export const browserScriptFile = (id: string): string => id.slice(0, -suffix.length);

/** The source of a module that exports the script's text. */
export async function buildBrowserScriptModule(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  return `export const script = ${JSON.stringify(outputFiles[0]?.text ?? '')};`;
}

/** The same for the bundles of the functions; `test/vitest.config.ts` does it for the tests. */
export const browserScripts: Plugin = {
  name: 'browser-scripts',
  setup({ onResolve, onLoad }) {
    const namespace = 'browser-script';
    onResolve({ filter: /\?browser$/ }, ({ path: id, resolveDir }) => ({
      path: path.join(resolveDir, browserScriptFile(id)),
      namespace,
    }));
    onLoad({ filter: /./, namespace }, async ({ path: file }) => ({ contents: await buildBrowserScriptModule(file) }));
  },
};
