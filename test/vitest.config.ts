import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/deployed/**', 'test/clients/**', 'test/pages/**'],
    pool: 'forks',
    // Modules keep only caches, so files that run one after the other may share them: loading them anew took a tenth of the time. Whoever stubs something undoes it.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
