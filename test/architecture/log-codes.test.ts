import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { logCodes, logFieldNames } from '../../shared/platform/log-codes.ts';
import { parseImports } from './imports.ts';
import { filesOfFunction, parseLoggedCodes, readLoggedCodes } from './logged-codes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('every code in the list is logged somewhere, and every logged code is in the list', () => {
  const logged = new Set([...readLoggedCodes(root).values()].flat());
  expect([...logged].sort()).toEqual(Object.keys(logCodes).sort());
});

test('every code has a meaning, as a sentence', () => {
  for (const [code, meaning] of Object.entries(logCodes)) expect(meaning, code).toMatch(/^[A-Z].*\.$/);
});

test('a field has one name: it is listed once, in snake_case', () => {
  expect(new Set(logFieldNames).size).toBe(logFieldNames.length);
  for (const name of logFieldNames) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('codes are read from literals, conditions and constants; any other code fails the check', () => {
  const text = `
    deps.log('warn', 'first_code', { cause });
    log(status >= 500 ? 'error' : 'info', 'second_code');
    deps.log('warn', kind === 'other' ? 'third_code' : 'fourth_code', {
    const chosen = isLarge ? 'fifth_code' : 'sixth_code';
    context.deps.log('error', chosen, logFields);
    console.log('warn', 'no code');`;
  expect(parseLoggedCodes('a.ts', text).map((code) => code.replace('_code', ''))).toEqual([
    'first',
    'second',
    'third',
    'fourth',
    'fifth',
    'sixth',
  ]);
  expect(() => parseLoggedCodes('a.ts', "deps.log('warn', findCode, {});")).toThrow('a.ts');
});

test('a function consists of its entry and of all that it imports for more than types', () => {
  const imports = [
    ...parseImports('functions/workers/a.ts', "import { b } from '../../shared/b.ts';"),
    ...parseImports('shared/b.ts', "import type { C } from './c.ts';\nconst d = await import('./d.ts');"),
  ];
  expect([...filesOfFunction('functions/workers/a.ts', imports)]).toEqual([
    'functions/workers/a.ts',
    'shared/b.ts',
    'shared/d.ts',
  ]);
});
