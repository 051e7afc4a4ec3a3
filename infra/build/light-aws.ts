// What keeps the AWS SDK light in a bundle: each client reads its own package.json for the version that it names in its requests.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import * as z from 'zod';

const Versioned = z.object({ version: z.string() });

/** Two kilobytes and more of each client. */
export const onlyVersions: Plugin = {
  name: 'only-versions',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(Versioned.parse(JSON.parse(await readFile(path, 'utf8')))),
      loader: 'json',
    }));
  },
};
