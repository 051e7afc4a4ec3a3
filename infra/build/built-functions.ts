// The functions as they are deployed, for local hosts and tests. They are rebuilt when a source
// changes and cached in node_modules.
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
import { isProcessRunning } from '../running-process.ts';
import { bundleFunctions } from './bundle.ts';

const root = path.join(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/functions');
/** Everything that goes into a bundle: the sources, the build code and the packages. */
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
 * Returns the bundle file of each entry in the function manifest, stable for the lifetime of this
 * process. `onBuild` is called when the functions have to be built, which takes a few seconds.
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
    // A source that was saved during the build may be in some bundles and not in others.
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

/** Another process may build the same sources at the same time. The first to finish wins. */
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

/** The hash of everything that goes into a bundle, so that the same sources are built only once. */
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

/** A function is loaded at its first event, so a build must stay while a process uses it. */
export function removeOldBuilds(cache: string): void {
  const newestFirst = readdirSync(cache)
    .map((name) => ({ name, at: statSync(path.join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name);
  for (const name of newestFirst.slice(maxRetainedBuilds)) {
    if (listUserPids(cache, name).some(isProcessRunning)) continue;
    const removalFolder = path.join(cache, `${stagingPrefix}0-${name}`);
    // The rename removes a build all at once: one with some files missing would be mistaken for a
    // complete build.
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
