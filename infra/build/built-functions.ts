// The functions as they are deployed, for hosts and tests: built anew when a source has changed, and kept beside the packages.
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
  'package-lock.json',
];
const keptBuilds = 3;
const usedBy = 'used-by-';

/** The file that stands for each entry of the map. `onBuild` hears when they have to be built, which takes some seconds. */
export async function builtFunctions(onBuild: () => void = () => {}): Promise<ReadonlyMap<string, string>> {
  const folder = path.join(cache, fingerprintOf(root));
  if (!existsSync(folder)) {
    onBuild();
    await buildInto(folder);
  }
  writeFileSync(path.join(folder, `${usedBy}${process.pid}`), '');
  forgetOldBuilds(cache);
  return new Map(Object.entries(functions).map(([name, { entry }]) => [entry, path.join(folder, name, 'index.js')]));
}

/** Another process may build the same at the same time: the first to finish has made it. */
async function buildInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(path.join(cache, 'making-'));
  try {
    await bundleFunctions(functions, making);
    if (!existsSync(folder)) renameSync(making, folder);
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

/** A function is loaded at its first event, so a build stays for as long as a process runs from it. */
export function forgetOldBuilds(cache: string): void {
  const newestFirst = readdirSync(cache)
    .map((name) => path.join(cache, name))
    .map((folder) => ({ folder, at: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at);
  for (const { folder } of newestFirst.slice(keptBuilds)) {
    if (!isInUse(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

const isInUse = (folder: string): boolean =>
  readdirSync(folder).some((name) => name.startsWith(usedBy) && isRunning(Number(name.slice(usedBy.length))));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process: it runs, but takes no signals from here.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
