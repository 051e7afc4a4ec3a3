import { defineConfig } from 'vitest/config';
export default defineConfig({ root: '/work/t3', test: { include: ['test/**/*.test.ts'], pool: 'forks', isolate: false, maxWorkers: 1, testTimeout: 120000, hookTimeout: 60000 } });
