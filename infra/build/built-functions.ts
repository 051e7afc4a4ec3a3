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
const sourcePaths = [
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
const maxRetainedBuilds = 3;
const usedByPrefix = 'used-by-';
const stagingPrefix = 'making-by-';

let buildPromise: Promise<ReadonlyMap<string, string>> | undefined;

/**
 * The file that stands for each entry of the map, the same for as long as this process runs.
 * `onBuild` hears when they have to be built, which takes some seconds.
 */
export function loadBuiltFunctions(onBuild: () => void = () => {}): Promise<ReadonlyMap<string, string>> {
  buildPromise ??= findOrBuild(onBuild).catch((error) => {
    buildPromise = undefined;
    throw error;
  });
  return buildPromise;
}

async function findOrBuild(onBuild: () => void): Promise<ReadonlyMap<string, string>> {
  const folder = path.join(cache, computeFingerprint(root));
  if (!existsSync(folder)) {
    onBuild();
    await buildInto(folder);
    // A source that was saved meanwhile may be in some of the bundles and not in others.
    if (folder !== path.join(cache, computeFingerprint(root))) {
      rmSync(folder, { recursive: true, force: true });
      return findOrBuild(onBuild);
    }
    removeOldBuilds(cache);
  }
  const marker = path.join(folder, `${usedByPrefix}${process.pid}`);
  writeFileSync(marker, '');
  process.once('exit', () => rmSync(marker, { force: true }));
  return new Map(Object.entries(functions).map(([name, { entry }]) => [entry, path.join(folder, name, 'index.js')]));
}

/** Another process may build the same at the same time: the first to finish has made it. */
async function buildInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const stagingFolder = mkdtempSync(path.join(cache, `${stagingPrefix}${process.pid}-`));
  try {
    await bundleFunctions(functions, stagingFolder);
    renameSync(stagingFolder, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(stagingFolder, { recursive: true, force: true });
  }
}

/** Of all that a bundle is made from, so that the same sources are built once. */
export function computeFingerprint(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of sourcePaths.flatMap((name) => listFiles(path.join(root, name)))) {
    hash.update(`\n${path.relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 20);
}

function listFiles(filePath: string): string[] {
  if (!statSync(filePath).isDirectory()) return [filePath];
  return readdirSync(filePath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** A function is loaded at its first event, so a build stays while a process runs from it. */
export function removeOldBuilds(cache: string): void {
  const newestFirst = readdirSync(cache)
    .map((name) => ({ name, at: statSync(path.join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name);
  for (const name of newestFirst.slice(maxRetainedBuilds)) {
    if (listUserPids(cache, name).some(isRunning)) continue;
    const removalFolder = path.join(cache, `${stagingPrefix}0-${name}`);
    // Whole or gone: a build that lost some of its files would be taken for a good one.
    if (existsSync(path.join(cache, name))) renameSync(path.join(cache, name), removalFolder);
    rmSync(removalFolder, { recursive: true, force: true });
  }
}

function listUserPids(cache: string, name: string): number[] {
  if (name.startsWith(stagingPrefix)) return [Number.parseInt(name.slice(stagingPrefix.length), 10)];
  const folder = path.join(cache, name);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((marker) => marker.startsWith(usedByPrefix))
    .map((marker) => Number(marker.slice(usedByPrefix.length)));
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
