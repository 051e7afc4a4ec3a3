// The functions as they are deployed, for hosts and tests: built anew when a source has changed, and
// kept beside the packages.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { functions } from '../functions.ts';
import { bundleFunctions } from './bundle.ts';

const root = path.join(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/functions');
/** What a bundle is made from: the sources, how they are put together, and the packages. */
const madeFrom = [
  'functions',
  'shared',
  'infra/build',
  'infra/functions.ts',
  'infra/api-functions.ts',
  'infra/function-spec.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const keptBuilds = 3;
const usedBy = 'used-by-';
const makingBy = 'making-by-';

let built: Promise<ReadonlyMap<string, string>> | undefined;

/**
 * The file that stands for each entry of the map, the same for as long as this process runs.
 * `onBuild` hears when they have to be built, which takes some seconds.
 */
export function builtFunctions(onBuild: () => void = () => {}): Promise<ReadonlyMap<string, string>> {
  built ??= findOrBuild(onBuild).catch((error) => {
    built = undefined;
    throw error;
  });
  return built;
}

async function findOrBuild(onBuild: () => void): Promise<ReadonlyMap<string, string>> {
  const folder = path.join(cache, fingerprintOf(root));
  if (!existsSync(folder)) {
    onBuild();
    await buildInto(folder);
    // A source that was saved meanwhile may be in some of the bundles and not in others.
    if (folder !== path.join(cache, fingerprintOf(root))) {
      rmSync(folder, { recursive: true, force: true });
      return findOrBuild(onBuild);
    }
    forgetOldBuilds(cache);
  }
  const marker = path.join(folder, `${usedBy}${process.pid}`);
  writeFileSync(marker, '');
  process.once('exit', () => rmSync(marker, { force: true }));
  return new Map(Object.entries(functions).map(([name, { entry }]) => [entry, path.join(folder, name, 'index.js')]));
}

/** Another process may build the same at the same time: the first to finish has made it. */
async function buildInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(path.join(cache, `${makingBy}${process.pid}-`));
  try {
    await bundleFunctions(functions, making);
    renameSync(making, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Of all that a bundle is made from, so that the same sources are built once. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of madeFrom.flatMap((name) => filesOf(path.join(root, name)))) {
    hash.update(`\n${path.relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 20);
}

function filesOf(whole: string): string[] {
  if (!statSync(whole).isDirectory()) return [whole];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** A function is loaded at its first event, so a build stays while a process runs from it. */
export function forgetOldBuilds(cache: string): void {
  const newestFirst = readdirSync(cache)
    .map((name) => ({ name, at: statSync(path.join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name);
  for (const name of newestFirst.slice(keptBuilds)) {
    if (usersOf(cache, name).some(isRunning)) continue;
    const leaving = path.join(cache, `${makingBy}0-${name}`);
    // Whole or gone: a build that lost some of its files would be taken for a good one.
    if (existsSync(path.join(cache, name))) renameSync(path.join(cache, name), leaving);
    rmSync(leaving, { recursive: true, force: true });
  }
}

function usersOf(cache: string, name: string): number[] {
  if (name.startsWith(makingBy)) return [Number.parseInt(name.slice(makingBy.length), 10)];
  const folder = path.join(cache, name);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((marker) => marker.startsWith(usedBy))
    .map((marker) => Number(marker.slice(usedBy.length)));
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process: it runs, but takes no signals from here.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
