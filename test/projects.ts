// Which of the three projects a test file runs in: its name says so, or what it starts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importsIn } from './architecture/imports.ts';

export type Project = 'quick' | 'system' | 'deep';

const root = path.join(import.meta.dirname, '..');
/** Those with a command, tools and a configuration of their own. */
const elsewhere = /^test\/(deployed|clients|pages)\//;

export const testFiles = (): string[] =>
  readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !elsewhere.test(file))
    .sort();

/**
 * `quick` starts nothing: no engine, no server, no process. `system` does. `deep` is what a person need not wait for after
 * every change: every order of steps, every moment of dying, a second engine, whole templates.
 */
export function projectOf(file: string): Project {
  if (file.endsWith('.deep.test.ts')) return 'deep';
  return startsSomething(file) ? 'system' : 'quick';
}

/** Tests that hold on every table engine: `second-engine` runs them again, on the one that few people have at hand. */
export const isForEveryEngine = (file: string): boolean => importsOf(file).includes('test/harness/every-engine.ts');

const starts = (imported: string): boolean =>
  imported === 'node:child_process' || imported.startsWith('infra/local/engines/');

function startsSomething(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some(
    (imported) => starts(imported) || (isModule(imported) && startsSomething(imported, seen)),
  );
}

/** And not a name in some text that a test reads as a module. */
const isModule = (imported: string): boolean => imported.endsWith('.ts') && existsSync(path.join(root, imported));

const read = new Map<string, string[]>();

/** What a file loads: types are gone by then. */
function importsOf(file: string): string[] {
  const known = read.get(file);
  if (known) return known;
  const imports = importsIn(file, readFileSync(path.join(root, file), 'utf8'))
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ to }) => to.replaceAll('\\', '/'));
  read.set(file, imports);
  return imports;
}
