// The table engines that tests of the store run on: what two of them agree on is DynamoDB, not a quirk of one.
import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { findDynoxide, type TableEngineKind } from '../../../infra/local/engines/table-engine.ts';
import { startLocalTable, type TablePlace } from '../../../infra/local/local-table.ts';
import type { Meter } from '../../../shared/engine/ports.ts';

interface Engine {
  kind: TableEngineKind;
  /** Why it cannot run here; undefined when it can. */
  missing: string | undefined;
}

const required = process.env['DAYBOOK_REQUIRE_DYNAMODB_LOCAL'] === '1';
const quick = process.env['DAYBOOK_QUICK_TESTS'] === '1' && !required;
const javaWorks = spawnSync('java', ['-version']).status === 0;

export const engines: readonly Engine[] = [
  { kind: 'dynoxide', missing: findDynoxide(process.env) ? undefined : 'there is no dynoxide for this platform' },
  {
    kind: 'dynamodb-local',
    missing: quick ? 'the quick tests use one engine' : javaWorks ? undefined : 'there is no Java on the PATH',
  },
];

/** Runs the tests once per engine; one that is missing is skipped, or fails where it is required. */
export function onEveryEngine(about: string, tests: (kind: TableEngineKind) => void): void {
  describe.each(engines)(`${about} on $kind`, ({ kind, missing }) => {
    if (missing === undefined) tests(kind);
    else if (required)
      test('can run here', () => {
        throw new Error(`${kind} is required and cannot run: ${missing}`);
      });
    else test.skip(`cannot run here: ${missing}`);
  });
}

/** A table of its own in memory. */
export const startTable = (kind?: TableEngineKind, meter?: Meter): Promise<TablePlace> =>
  startLocalTable({
    dataDir: 'memory',
    env: { PATH: process.env['PATH'] },
    ...(kind ? { kind } : {}),
    ...(meter ? { meter } : {}),
  });
