// The size of each function's bundle. Every kilobyte is read, compiled and billed at a cold start.
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
      // The limit with the official packages. The goal is 400. A function that exceeds the limit
      // imports something it should not.
      bound: { max: 550 },
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
