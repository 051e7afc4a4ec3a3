import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads a configuration by its default export.
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
