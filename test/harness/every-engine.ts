// Runs tests on every table engine: behavior that two engines agree on is DynamoDB's, not a quirk
// of one. The project selects the engine: `second-engine` runs the files that import this one
// again, on DynamoDB Local.
import { spawnSync } from 'node:child_process';
import { describe, inject, test } from 'vitest';
import type { TableEngineKind } from '../../infra/local/engines/table-engine.ts';
import { defaultEngine } from './shared-engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    tableEngine: TableEngineKind | undefined;
  }
}

/** Skips the tests if the engine is missing, or fails if the engine is required. */
export function onEveryEngine(about: string, tests: (kind: TableEngineKind) => void): void {
  const kind = inject('tableEngine') ?? defaultEngine();
  describe(`${about} on ${kind}`, () => {
    const missing = kind === 'dynamodb-local' && !hasJava() ? 'Java is not on the PATH' : undefined;
    if (missing === undefined) tests(kind);
    else if (process.env['DAYBOOK_REQUIRE_DYNAMODB_LOCAL'] === '1')
      test('can run here', () => {
        throw new Error(`${kind} is required and cannot run: ${missing}`);
      });
    else test.skip(`cannot run here: ${missing}`);
  });
}

let java: boolean | undefined;
const hasJava = (): boolean => (java ??= spawnSync('java', ['-version']).status === 0);
