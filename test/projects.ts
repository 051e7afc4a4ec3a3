// Which of the three projects a test file runs in, determined by its name or by what it imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseImports } from './architecture/imports.ts';

export type Project = 'quick' | 'system' | 'deep';

const root = path.join(import.meta.dirname, '..');
/** Suites with their own command, tools and configuration. */
const standaloneSuites = /^test\/(deployed|clients|pages)\//;

export const testFiles = (): string[] =>
  readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !standaloneSuites.test(file))
    .sort();

/**
 * `quick` tests functions alone: rules, codecs, adapters, presenters. Tests that need a store, an
 * engine, a process or the cloud templates are `system`. `deep` contains what does not need to run
 * after every change: every order of steps, every point of a crash, every template.
 */
export function projectOf(file: string): Project {
  if (file.endsWith('.deep.test.ts')) return 'deep';
  return needsSystem(file) ? 'system' : 'quick';
}

/**
 * Tests that must pass on every table engine. `second-engine` runs them again on the engine that
 * few developers have installed.
 */
export const isForEveryEngine = (file: string): boolean => importsOf(file).includes('test/harness/every-engine.ts');

const isSystemImport = (imported: string): boolean =>
  imported === 'shared/system/store.ts' ||
  imported === 'node:child_process' ||
  imported.startsWith('infra/local/engines/') ||
  imported.startsWith('aws-cdk-lib');

function needsSystem(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some(
    (imported) => isSystemImport(imported) || (isModule(imported) && needsSystem(imported, seen)),
  );
}

/** Excludes names in text that a test parses as a module. */
const isModule = (imported: string): boolean => imported.endsWith('.ts') && existsSync(path.join(root, imported));

const importCache = new Map<string, string[]>();

/** The files that a file loads at run time, without type imports. */
function importsOf(file: string): string[] {
  const known = importCache.get(file);
  if (known) return known;
  const imports = parseImports(file, readFileSync(path.join(root, file), 'utf8'))
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ to }) => to.replaceAll('\\', '/'));
  importCache.set(file, imports);
  return imports;
}
