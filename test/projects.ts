// Which of the three projects a test file runs in: its name says so, or what it needs.
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
 * `quick` is about functions alone: rules, codecs, adapters, presenters. What needs a store, an engine, a process or the
 * cloud's templates is `system`. `deep` is what a person need not wait for after every change: every order of steps,
 * every moment of dying, every template.
 */
export function projectOf(file: string): Project {
  if (file.endsWith('.deep.test.ts')) return 'deep';
  return needsMore(file) ? 'system' : 'quick';
}

/** Tests that hold on every table engine: `second-engine` runs them again, on the one that few people have at hand. */
export const isForEveryEngine = (file: string): boolean => importsOf(file).includes('test/harness/every-engine.ts');

const isMore = (imported: string): boolean =>
  imported === 'shared/system/store.ts' ||
  imported === 'node:child_process' ||
  imported.startsWith('infra/local/engines/') ||
  imported.startsWith('aws-cdk-lib');

function needsMore(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((imported) => isMore(imported) || (isModule(imported) && needsMore(imported, seen)));
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
