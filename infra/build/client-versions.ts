// Reduces each AWS client's package.json to its version, which is all that the client reads of it.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import * as z from 'zod';

const Manifest = z.object({ version: z.string() });

/** Saves two kilobytes per client. */
export const onlyClientVersions: Plugin = {
  name: 'only-client-versions',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(Manifest.parse(JSON.parse(await readFile(path, 'utf8')))),
      loader: 'json',
    }));
  },
};
