// Minifies the styles of the pages for people, which are a string in the bundle.
import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

const declaration = /^export const pageStyles = `([^`$\\]*)`;$/m;

export const minifiedPageStyles: Plugin = {
  name: 'minified-page-styles',
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]http[\\/]page-styles\.ts$/ }, async ({ path }) => {
      const [, css] = declaration.exec(await readFile(path, 'utf8')) ?? [];
      if (css === undefined) throw new Error(`${path} must be one template without placeholders.`);
      const { code } = await transform(css, { loader: 'css', minify: true });
      return { contents: `export const pageStyles = ${JSON.stringify(code.trim())};`, loader: 'js' };
    });
  },
};
