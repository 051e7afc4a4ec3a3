import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads a configuration by its default export.
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
