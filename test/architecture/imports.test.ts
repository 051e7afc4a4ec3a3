import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { circles, floorOf, importsIn, readImports, sourceFiles, violations } from './imports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = sourceFiles(root);
const imports = readImports(root);

test('the check sees the files and their imports', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports).toContainEqual({
    from: 'functions/api/users/app.ts',
    to: 'shared/users/users.ts',
    typeOnly: false,
  });
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
});

test('every import goes the way the architecture allows', () => {
  expect(violations(imports)).toEqual([]);
});

test('the second opinion knows nothing of the product', () => {
  const oracle = readdirSync(join(root, 'test/oracle')).map((name) => `test/oracle/${name}`);
  const found = oracle.flatMap((file) => importsIn(file, readFileSync(join(root, file), 'utf8')));
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ to }) => /^(shared|functions|infra)\//.test(to))).toEqual([]);
});

test('there are no circles, type imports included', () => {
  expect(circles(imports)).toEqual([]);
});

test('no verb asks which form of the contract its caller is served', () => {
  const verbs = files.filter((file) => /^shared\/(domain|reads)\//.test(file));
  const asking = verbs.filter((file) => /\bform\s*[!=]==/.test(readFileSync(join(root, file), 'utf8')));
  expect([verbs.length > 50, asking]).toEqual([true, []]);
});

test('no file has more than 400 lines', () => {
  const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401);
  expect(long).toEqual([]);
});

test('no folder is called utils, helpers, types or common, and no file index', () => {
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|types|common)(\/|\.ts$)|\/index\.ts$/.test(file))).toEqual([]);
});

describe('a forbidden import fails the check', () => {
  test.each([
    ['shared/users/user.ts', "import { keys } from '../store/keys.ts';"],
    ['shared/users/users.ts', "import { awsTable } from '../../engine/aws/table.ts';"],
    ['shared/users/users.ts', "import { newApi } from '../../http/api.ts';"],
    ['shared/users/users.ts', "import fs from 'node:fs';"],
    ['shared/reads/sleep/read-sleep.ts', "import type { SleepList } from '../model/sleep.ts';"],
    ['shared/reads/sleep/read-sleep.ts', "import type { FlatSleep } from '../model/form-1/sleep.ts';"],
    ['shared/users/list-users-at.ts', "import type { OffsetMeta } from '../model/offset-page.ts';"],
    ['shared/reads/daily/read-daily.ts', "import { columnText } from '../presenters/column-text.ts';"],
    ['shared/platform/presenter.ts', "import { newApi } from '../http/api.ts';"],
    ['shared/sandbox/simulated-providers/oura.ts', "import { oura } from '../../../providers/oura/descriptor.ts';"],
    ['shared/users/user-rows.ts', "import type { Deps } from '../domain/deps.ts';"],
    ['functions/api/users/app.ts', "import { writeLog } from '../../../shared/runtime/log.ts';"],
    ['functions/api/users/app.ts', "import { tokensApi } from '../tokens/app.ts';"],
    ['functions/workers/sweep.ts', "import { usersApi } from '../../api/users/app.ts';"],
    ['functions/api/users/routes.ts', "import { functions } from '../../../infra/functions.ts';"],
    ['infra/cloud/stack.ts', "import { createUser } from '../../shared/users/users.ts';"],
    ['functions/runtime/deps.ts', "export { functions } from '../../infra/functions.ts';"],
    ['functions/api/users/app.ts', "const app = await import('../tokens/app.ts');"],
    ['functions/api/users/app.ts', "import {\n  Hono,\n} from 'hono';"],
    ['functions/api/users/app.ts', "import { OpenAPIHono } from '@hono/zod-openapi';"],
    ['functions/api/users/routes.ts', "import type { Context } from 'hono';"],
    ['shared/users/users.ts', "import { HTTPException } from 'hono/http-exception';"],
    ['shared/users/users.ts', "import type { RouteConfig } from '@hono/zod-openapi';"],
  ])('%s: %s', (from, text) => {
    expect(violations(importsIn(from, text))).not.toEqual([]);
  });

  test('a circle of type imports', () => {
    const made = [
      ...importsIn('shared/model/a.ts', "import type { B } from './b.ts';"),
      ...importsIn('shared/model/b.ts', "import type { A } from './a.ts';"),
    ];
    expect(circles(made)).toEqual([['shared/model/a.ts', 'shared/model/b.ts', 'shared/model/a.ts']]);
  });
});
