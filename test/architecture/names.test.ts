import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sourceFiles } from './imports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Entry points have the name that the runtime expects, and a route has the name of the function
 * that handles it.
 */
const mayShareNames = (file: string): boolean =>
  /^functions\/(api\/[^/]+\/((form-1-)?routes|app)|workers\/[^/]+)\.ts$/.test(file);

const declaration = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm;

/**
 * Returns the files that declare each exported name. A schema and the type inferred from it share
 * one file.
 */
function findDeclarations(files: readonly (readonly [file: string, text: string])[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [file, text] of files)
    for (const [, name = ''] of text.matchAll(declaration)) {
      const declaring = found.get(name) ?? new Set();
      found.set(name, declaring.add(file));
    }
  return found;
}

const findAmbiguousNames = (files: readonly (readonly [file: string, text: string])[]): string[] =>
  [...findDeclarations(files)]
    .filter(([, declaring]) => declaring.size > 1)
    .map(([name, declaring]) => `${name}: ${[...declaring].join(', ')}`);

const productFiles = sourceFiles(root)
  .filter((file) => !mayShareNames(file))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

test('an exported name is unique across the product', () => {
  expect(findDeclarations(productFiles).size).toBeGreaterThan(500);
  expect(findAmbiguousNames(productFiles)).toEqual([]);
});

test('a name that two files export fails the check; a schema and its type do not', () => {
  const schema = 'export const Device = z.object({});\nexport type Device = z.infer<typeof Device>;\n';
  expect(findAmbiguousNames([['a.ts', schema]])).toEqual([]);
  expect(
    findAmbiguousNames([
      ['a.ts', schema],
      ['b.ts', 'export interface Device {}\n'],
    ]),
  ).toEqual(['Device: a.ts, b.ts']);
  expect(
    findAmbiguousNames([
      ['a.ts', 'export async function send() {}'],
      ['b.ts', 'export const send = 1;'],
    ]),
  ).toHaveLength(1);
});

test.each([
  'const send = 1;',
  'let send = 1;',
  'function send() {}',
  'function* send() {}',
  'async function send() {}',
  'async function* send() {}',
  'class send {}',
  'abstract class send {}',
  'type send = string;',
  'interface send {}',
  'enum send {}',
])('the check sees the name in: export %s', (text) => {
  expect([...findDeclarations([['a.ts', `export ${text}`]]).keys()]).toEqual(['send']);
});
