// How large each function's bundle is: every kilobyte is read, compiled and paid for at a cold start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../../infra/build/bundle.ts';
import { functions } from '../../../infra/functions.ts';
import type { Measure } from '../row.ts';

export const measure: Measure = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-bundles-'));
  try {
    const bundles = await bundleFunctions(functions, folder);
    return bundles.map(({ name, bytes }) => ({
      name: `bundle of ${name}`,
      unit: 'kB',
      value: bytes / 1000,
      // With the official packages; the goal is 400. A function that passes this has dragged in something it should not.
      bound: { atMost: 550 },
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
