// Builds the pages of a function that has a folder `web`, and keeps the result in node_modules, so
// that they are built again only when one of their sources or a package has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';

const projectRoot = path.join(import.meta.dirname, '../..');
const cacheFolder = path.join(projectRoot, 'node_modules/.cache/web');
const maxKeptBuilds = 4;
const newBuildPrefix = 'new-';

/** Writes `index.html` and `assets/` to the output folder. */
export async function buildWeb(webFolder: string, outputFolder: string): Promise<void> {
  const built = path.join(cacheFolder, computeWebFingerprint(webFolder));
  if (!existsSync(built)) {
    await mkdir(cacheFolder, { recursive: true });
    const newBuild = await mkdtemp(path.join(cacheFolder, newBuildPrefix));
    // A temporary folder is private, and these modes become those of the deployed files.
    await chmod(newBuild, 0o755);
    await runVite(webFolder, newBuild);
    await rename(newBuild, built).catch((error: unknown) => {
      // Another process has built the same sources in the meantime.
      if (!existsSync(built)) throw error;
    });
    await removeLeastRecent();
  }
  await utimes(built, new Date(), new Date());
  await cp(built, outputFolder, { recursive: true });
}

/**
 * The pages use the calendar of the API, so that a day begins in the browser when it begins there,
 * and begin with the styles of the documentation.
 */
const sharedFolders = ['shared/platform', 'functions/api/docs-kit/assets'].map((name) => path.join(projectRoot, name));

/** The hash of the sources, of the versions of all packages, and of this file. */
export function computeWebFingerprint(webFolder: string): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  hash.update(readFileSync(path.join(projectRoot, 'package-lock.json')));
  const files = [webFolder, ...sharedFolders]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`\n${path.relative(projectRoot, file)}\n`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 20);
}

async function runVite(root: string, outDir: string): Promise<void> {
  // Loading Vite takes longer than everything else here, so a start that needs no build is spared it.
  const { build } = await import('vite');
  await build({
    root,
    base: '/console/',
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // One file, because a style that arrives after its page would move what is already drawn.
      cssCodeSplit: false,
      // The policy allows no data: URLs except for images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}

async function removeLeastRecent(): Promise<void> {
  const builds = readdirSync(cacheFolder)
    .filter((name) => !name.startsWith(newBuildPrefix))
    .map((name) => ({ name, at: statSync(path.join(cacheFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of builds.slice(maxKeptBuilds))
    await rm(path.join(cacheFolder, name), { recursive: true, force: true });
}
