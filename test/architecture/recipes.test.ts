// Checks that the documents name only files, folders, npm scripts and identifiers that exist, so
// that a reader can follow a recipe to the letter.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

const documents = [
  'CONTRIBUTING.md',
  'README.md',
  'ARCHITECTURE.md',
  'infra/decisions.md',
  'infra/recipes.md',
] as const;
const recipes = ['metric', 'endpoint', 'provider', 'score', 'worker'] as const;

const checkedFolders = ['functions', 'shared', 'infra', 'test', '.ci'] as const;
const isCheckedPath = (word: string): boolean => /^(?:(?:functions|shared|infra|test)\/|\.ci(?:\/|$))/.test(word);

/** Every file and folder that a document may name. */
const knownPaths: readonly string[] = checkedFolders.flatMap((folder) => [
  folder,
  ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  ),
]);
const knownPathSet: ReadonlySet<string> = new Set(knownPaths);

const fencedBlock = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;

/** The code spans and the shell blocks; blocks in other languages may show files that do not exist yet. */
function listCode(markdown: string): string[] {
  const shellBlocks = [...markdown.matchAll(fencedBlock)].flatMap(([, language, code = '']) =>
    language === 'sh' ? [code] : [],
  );
  const spans = [...markdown.replaceAll(fencedBlock, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...spans, ...shellBlocks];
}

/** `a/{b,c}.ts` stands for `a/b.ts` and `a/c.ts`. */
function expandBraces(path: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path);
  if (!match) return [path];
  const [, before = '', choices = '', after = ''] = match;
  return choices.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`));
}

/** Without the punctuation, line number or slash behind a path. */
const trimPath = (word: string): string => word.replace(/(?::\d+)?[),;:.'"]*$/, '').replace(/\/$/, '');

const listPaths = (markdown: string): string[] => [
  ...new Set(
    listCode(markdown)
      .flatMap((code) => code.split(/\s+/))
      .filter(isCheckedPath)
      .map(trimPath)
      .flatMap(expandBraces),
  ),
];

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A placeholder such as `<name>`, and `*`, stand for any part of a name. */
function exists(path: string): boolean {
  const literals = path.split(/<[^<>]*>|\*+|…/);
  if (literals.length === 1) return knownPathSet.has(path);
  const pattern = new RegExp(`^${literals.map(escapePattern).join('[^/]+')}$`);
  return knownPaths.some((known) => pattern.test(known));
}

const findMissingPaths = (markdown: string): string[] => listPaths(markdown).filter((path) => !exists(path));

const isFile = (path: string): boolean => knownPathSet.has(path) && statSync(join(root, path)).isFile();

function readScriptNames(): string[] {
  const manifest: unknown = JSON.parse(readText('package.json'));
  const scripts = typeof manifest === 'object' && manifest !== null && 'scripts' in manifest ? manifest.scripts : {};
  return Object.keys(scripts ?? {});
}

const listScripts = (markdown: string): string[] => [
  ...new Set([
    ...[...markdown.matchAll(/\bnpm run (?:-\S+ )*([a-z][\w:-]*)/g)].map(([, name = '']) => name),
    ...[...markdown.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
  ]),
];

const findMissingScripts = (markdown: string): string[] => {
  const known = readScriptNames();
  return listScripts(markdown).filter((name) => !known.includes(name));
};

interface NamedIdentifier {
  name: string;
  path: string;
}

/** The identifiers that a document says are in a file: `a` in `path`, `a` and `b` of `path`, `a` (`path`). */
const listIdentifiers = (markdown: string): NamedIdentifier[] =>
  [
    ...markdown
      .replaceAll(fencedBlock, '')
      .matchAll(/((?:`[A-Za-z_$][\w$]*`(?:, and |, | and | or )?)+) (?:(?:in|of) |\()`([^`\n<>*…]+\.ts)`/g),
  ].flatMap(([, names = '', path = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, path })));

const findMissingIdentifiers = (markdown: string): NamedIdentifier[] =>
  listIdentifiers(markdown).filter(
    ({ name, path }) => isFile(path) && !new RegExp(`\\b${escapePattern(name)}\\b`).test(readText(path)),
  );

interface Section {
  heading: string;
  text: string;
}

/** The sections of the third level, such as a recipe, each up to the next heading of its level or above. */
const listSections = (markdown: string): Section[] =>
  markdown
    .split(/^(?=#{1,3} )/m)
    .filter((part) => part.startsWith('### '))
    .map((part) => ({ heading: part.slice('### '.length).split('\n', 1).join(''), text: part }));

test.each(documents)('%s names only files and folders that exist', (document) => {
  expect(findMissingPaths(readText(document))).toEqual([]);
});

test.each(documents)('%s names only npm scripts that exist', (document) => {
  expect(findMissingScripts(readText(document))).toEqual([]);
});

test.each(documents)('%s names only identifiers that the file behind them contains', (document) => {
  expect(findMissingIdentifiers(readText(document))).toEqual([]);
});

test('the documents that show how to work on the code name paths and scripts at all', () => {
  const contributing = readText('CONTRIBUTING.md');
  expect(listPaths(contributing).length).toBeGreaterThan(100);
  expect(listIdentifiers(contributing).length).toBeGreaterThan(50);
  expect(listScripts(contributing)).toEqual(expect.arrayContaining(['start', 'test', 'verify', 'test:deep', 'bench']));
});

test.each(recipes)('the recipe for a new %s names at least three files that exist', (subject) => {
  const sections = listSections(readText('CONTRIBUTING.md')).filter(({ heading }) =>
    new RegExp(`^An? (?:[\\w-]+ )*${subject}\\b`).test(heading),
  );
  expect(sections).not.toEqual([]);
  for (const { heading, text } of sections)
    expect(listPaths(text).filter(isFile).length, heading).toBeGreaterThanOrEqual(3);
});

describe('the check reads a document as its reader does', () => {
  test('a path that does not exist is found, in a sentence and in a command', () => {
    expect(findMissingPaths('Add it to `shared/nowhere.ts`, then run `npm test -- test/nowhere`.')).toEqual([
      'shared/nowhere.ts',
      'test/nowhere',
    ]);
    expect(findMissingPaths('```sh\nnpm test -- test/nowhere.test.ts\n```')).toEqual(['test/nowhere.test.ts']);
  });

  test('a file, a folder, a line of a file and a path in braces are found where they exist', () => {
    const text = '`infra/functions.ts`, `shared/platform/`, `infra/functions.ts:12`, `test/{api,oracle}`, `.ci/run`';
    expect(findMissingPaths(text)).toEqual([]);
    expect(findMissingPaths('`test/{api,nowhere}`')).toEqual(['test/nowhere']);
  });

  test('a placeholder matches part of one name, and fails if no file matches', () => {
    expect(findMissingPaths('`shared/providers/<provider>/descriptor.ts`, `functions/api/<group>/routes.ts`')).toEqual(
      [],
    );
    expect(findMissingPaths('`shared/<room>/descriptor.ts`')).toEqual(['shared/<room>/descriptor.ts']);
  });

  test('code in other languages, and paths outside of code, may name what does not exist yet', () => {
    expect(findMissingPaths('```ts\n// shared/nowhere.ts\n```\nshared/nowhere.ts')).toEqual([]);
  });

  test('an identifier that its file does not contain is found, alone and in a list', () => {
    expect(
      findMissingIdentifiers(
        'Add it to `zebras` and `queues` in `infra/functions.ts`; `nobody` (`infra/functions.ts`), `queues` of `infra/functions.ts`.',
      ).map(({ name }) => name),
    ).toEqual(['zebras', 'nobody']);
  });

  test('a script that does not exist is found, with and without options', () => {
    expect(findMissingScripts('`npm run nothing`, `npm run -s nothing-else -- --help`, `npm run verify`')).toEqual([
      'nothing',
      'nothing-else',
    ]);
  });
});
