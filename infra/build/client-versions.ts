// The AWS clients read their own package.json for a version number; a bundle needs no more of it.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import * as z from 'zod';

const Manifest = z.object({ version: z.string() });

/** Two kilobytes less for each client. */
export const onlyClientVersions: Plugin = {
  name: 'only-client-versions',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(Manifest.parse(JSON.parse(await readFile(path, 'utf8')))),
      loader: 'json',
    }));
  },
};
