import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  consoleFolderOf,
  consoleFolders,
  findCycles,
  findViolations,
  folderCircles,
  parseImports,
  readImports,
  roomOf,
  rooms,
  sourceFiles,
} from './imports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = sourceFiles(root);
const imports = readImports(root);

test('the check sees the source files and their imports', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports).toContainEqual({
    from: 'functions/api/users/app.ts',
    to: 'shared/users/users.ts',
    typeOnly: false,
  });
});

test('every file of shared/ is in a room of the table, and every room of the table has files', () => {
  const found = new Set(files.filter((file) => file.startsWith('shared/')).map(roomOf));
  expect([...found].sort()).toEqual(Object.keys(rooms).sort());
});

test('a room imports only rooms above it in the table', () => {
  const names = Object.keys(rooms);
  for (const [room, allowedRooms] of Object.entries(rooms))
    for (const other of allowedRooms)
      expect(names.indexOf(other), `${room} imports ${other}`).toBeLessThan(names.indexOf(room));
});

test('no room is allowed an import that it does not use', () => {
  const drawn = new Set(imports.map(({ from, to }) => `${roomOf(from)} imports ${roomOf(to)}`));
  const allowed = Object.entries(rooms).flatMap(([room, allowedRooms]) =>
    allowedRooms.map((other) => `${room} imports ${other}`),
  );
  expect(allowed.filter((arrow) => !drawn.has(arrow))).toEqual([]);
});

test('every import follows the architecture rules', () => {
  expect(findViolations(imports)).toEqual([]);
});

test('the order of the console’s folders has every folder, and forbids the way back', () => {
  const found = new Set(files.map(consoleFolderOf).filter((folder) => folder !== undefined));
  expect([...found].sort()).toEqual([...consoleFolders].sort());
  const web = 'functions/api/console/web';
  const backwards = { from: `${web}/words/en.ts`, to: `${web}/pages/people-page.tsx`, typeOnly: true };
  expect(findViolations([backwards])).toHaveLength(1);
});

test('the test oracle imports nothing from the product', () => {
  const oracle = readdirSync(join(root, 'test/oracle')).map((name) => `test/oracle/${name}`);
  const found = oracle.flatMap((file) => parseImports(file, readFileSync(join(root, file), 'utf8')));
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ to }) => /^(shared|functions|infra)\//.test(to))).toEqual([]);
});

test('there are no import cycles between files or folders, type imports included', () => {
  expect(findCycles(imports)).toEqual([]);
  expect(folderCircles(imports)).toEqual([]);
});

test('no domain function checks which form of the contract its caller uses', () => {
  const verbs = files.filter((file) => /^shared\/(?!http\/|measurements\/codec\/)/.test(file));
  const violations = verbs.filter((file) => /\bform\s*[!=]==/.test(readFileSync(join(root, file), 'utf8')));
  expect([verbs.length > 50, violations]).toEqual([true, []]);
});

test('no file has more than 400 lines, tests included', () => {
  const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('test', name));
  expect(testFiles.length).toBeGreaterThan(100);
  const isLong = (file: string): boolean => readFileSync(join(root, file), 'utf8').split('\n').length > 401;
  expect([...files, ...testFiles].filter(isLong)).toEqual([]);
});

test('every file of functions/ is TypeScript or an asset: no script is untyped', () => {
  const names = readdirSync(join(root, 'functions'), { recursive: true, encoding: 'utf8' });
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => /\.[cm]?jsx?$/.test(name) && !isExample(name))).toEqual([]);
});

/** The programs that a guide shows, as its readers copy them. */
const isExample = (name: string): boolean => name === join('api', 'guides', 'assets', 'receiver.mjs');

test('no folder is named utils, helpers, types or common, and no file is named index', () => {
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|types|common)(\/|\.ts$)|\/index\.ts$/.test(file))).toEqual([]);
});

describe('a forbidden import fails the check', () => {
  test.each([
    ['shared/platform/ports.ts', "import { keys } from '../system/keys.ts';"],
    ['shared/users/users.ts', "import { awsTable } from '../platform/aws/table.ts';"],
    ['shared/users/users.ts', "import { createGuardedClient } from '../platform/egress/http-client.ts';"],
    ['shared/users/users.ts', "import { createUserRoute } from '../../functions/api/users/routes.ts';"],
    ['shared/users/users.ts', "import { functions } from '../../infra/functions.ts';"],
    ['shared/users/users.ts', "import { frozenClock } from '../../test/harness/clock.ts';"],
    ['shared/users/users.ts', "import { newApi } from '../http/api.ts';"],
    ['shared/users/users.ts', "import { endSession } from '../mobile/sessions.ts';"],
    ['shared/users/users.ts', "import fs from 'node:fs';"],
    ['shared/catalog/metrics.ts', "import { createHash } from 'node:crypto';"],
    ['shared/reads/sleep/read-sleep.ts', "import type { SleepList } from './form-2-schema.ts';"],
    ['shared/reads/sleep/read-sleep.ts', "import type { FlatSleep } from './form-1-schema.ts';"],
    ['shared/reads/sleep/read-sleep.ts', "import { presentSleep } from './form-2.ts';"],
    ['shared/reads/daily/read-daily.ts', "import { columnText } from './column-text.ts';"],
    ['shared/system/deps.ts', "import type { Normalizer } from '../providers/kit/normalizer.ts';"],
    ['shared/sandbox/simulated-providers/oura.ts', "import { oura } from '../../providers/oura/descriptor.ts';"],
    [
      'shared/sandbox/provider-server/simulated-provider.ts',
      "import { sandboxGrantRows } from './sandbox-grant-rows.ts';",
    ],
    [
      'shared/sandbox/simulated-providers/oura.ts',
      "import { sandboxGrantRows } from '../provider-server/sandbox-grant-rows.ts';",
    ],
    ['shared/sandbox/provider-server/simulated-provider.ts', "import { openStore } from '../../system/store.ts';"],
    ['shared/sandbox/provider-server/simulated-provider.ts', "import { keys } from '../../system/keys.ts';"],
    ['functions/api/users/routes.ts', "import { writeLog } from '../../runtime/log.ts';"],
    ['functions/api/users/app.ts', "import { tokensApi } from '../tokens/app.ts';"],
    ['functions/api/console/web/state/session.ts', "import { keys } from '../../../../../shared/system/keys.ts';"],
    ['functions/api/console/web/state/session.ts', "import { readFileSync } from 'node:fs';"],
    ['functions/api/console/app.ts', "import { me } from './web/state/session.ts';"],
    ['functions/api/guides/app.ts', "import { findDayRuns } from './browser/demo/chart-scale.ts';"],
    ['functions/api/guides/browser/copy-buttons.ts', "import { readFileSync } from 'node:fs';"],
    ['functions/api/guides/browser/copy-buttons.ts', "import { me } from '../../console/web/state/session.ts';"],
    ['functions/api/guides/app.ts', "import type { paths } from '../console/web/api/generated/v1.d.ts';"],
    ['functions/workers/sweep.ts', "import { usersApi } from '../api/users/app.ts';"],
    ['functions/workers/sweep.ts', "import { feedWorker } from './feed.ts';"],
    ['functions/api/users/routes.ts', "import { functions } from '../../../infra/functions.ts';"],
    ['functions/api/reference/contract.ts', "import { usersApi } from '../users/app.ts';"],
    ['functions/api/users/app.ts', "import { frozenClock } from '../../../test/harness/clock.ts';"],
    ['infra/cloud/stack.ts', "import { createUser } from '../../shared/users/users.ts';"],
    ['infra/local/host.ts', "import { testClock } from '../../test/harness/clock.ts';"],
    ['functions/runtime/deps.ts', "export { functions } from '../../infra/functions.ts';"],
    ['functions/api/users/app.ts', "const app = await import('../tokens/app.ts');"],
    ['functions/api/users/app.ts', "import {\n  Hono,\n} from 'hono';"],
    ['functions/api/users/app.ts', "import { OpenAPIHono } from '@hono/zod-openapi';"],
    ['functions/api/users/routes.ts', "import type { Context } from 'hono';"],
    ['shared/users/users.ts', "import { HTTPException } from 'hono/http-exception';"],
    ['shared/users/users.ts', "import type { RouteConfig } from '@hono/zod-openapi';"],
  ])('%s: %s', (from, text) => {
    expect(findViolations(parseImports(from, text))).not.toEqual([]);
  });

  test('an import cycle of types', () => {
    const sampleImports = [
      ...parseImports('shared/users/a.ts', "import type { B } from './b.ts';"),
      ...parseImports('shared/users/b.ts', "import type { A } from './a.ts';"),
    ];
    expect(findCycles(sampleImports)).toEqual([['shared/users/a.ts', 'shared/users/b.ts', 'shared/users/a.ts']]);
  });

  test('an import cycle that the first file leads to, and is not part of', () => {
    const sampleImports = [
      ...parseImports('shared/users/a.ts', "import { b } from './b.ts';"),
      ...parseImports('shared/users/b.ts', "import { c } from './c.ts';"),
      ...parseImports('shared/users/c.ts', "import { b } from './b.ts';"),
    ];
    expect(findCycles(sampleImports)).toEqual([['shared/users/b.ts', 'shared/users/c.ts', 'shared/users/b.ts']]);
  });

  test('a cycle of folders without a cycle of files', () => {
    const sampleImports = [
      ...parseImports('shared/reads/a.ts', "import { b } from './kit/b.ts';"),
      ...parseImports('shared/reads/kit/c.ts', "import { d } from '../d.ts';"),
    ];
    expect(findCycles(sampleImports)).toEqual([]);
    expect(folderCircles(sampleImports)).toEqual([['shared/reads', 'shared/reads/kit', 'shared/reads']]);
  });
});
