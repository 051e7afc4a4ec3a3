// The hosts that `npm start` runs from this checkout, so that the command line finds their data. An
// entry only names a data folder; the folder itself shows whether its host is still running.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isProcessRunning } from '../running-process.ts';
import { readFileIfExists, writeFileAtomically } from './data-files.ts';
import { isDataDirLocked } from './data-lock.ts';
import { readHostFile } from './host-file.ts';

/** Relative to the checkout, as the registry is. */
export const defaultDataDir = '.daybook';
export const hostRegistry = 'node_modules/.cache/hosts';

export interface RunningHost {
  /** Absolute. */
  dataDir: string;
  baseUrl: string;
}

const Entry = z.object({ data_dir: z.string() });

/** Call it when the host is ready. The entry is removed when this process exits. */
export function registerHost(registry: string, dataDir: string): void {
  mkdirSync(registry, { recursive: true });
  for (const { path, host } of readEntries(registry)) if (!host) rmSync(path, { force: true });
  const absolute = resolve(dataDir);
  const name = createHash('sha256').update(absolute).digest('hex').slice(0, 16);
  const path = resolve(registry, `${name}.json`);
  writeFileAtomically(path, `${JSON.stringify({ data_dir: absolute })}\n`);
  process.once('exit', () => rmSync(path, { force: true }));
}

/** Entries of hosts that were killed are ignored. */
export const listRunningHosts = (registry: string): RunningHost[] =>
  readEntries(registry).flatMap(({ host }) => host ?? []);

/**
 * Returns undefined if no host runs on the folder. The host's file can be left over after a kill
 * -9, its process id may belong to another process since, and a command can hold the lock, too.
 */
export function findRunningHost(dataDir: string): RunningHost | undefined {
  const host = readHostFile(dataDir);
  if (!host || !isProcessRunning(host.pid) || !isDataDirLocked(dataDir)) return undefined;
  return { dataDir: resolve(dataDir), baseUrl: host.base_url };
}

function readEntries(registry: string): { path: string; host: RunningHost | undefined }[] {
  return listFileNames(registry).flatMap((name) => {
    const path = join(registry, name);
    const text = readFileIfExists(path);
    if (text === undefined) return [];
    const dataDir = readDataDir(text);
    return [{ path, host: dataDir === undefined ? undefined : findRunningHost(dataDir) }];
  });
}

/** Undefined for an entry that cannot be read, which counts as one of a host that was killed. */
function readDataDir(text: string): string | undefined {
  try {
    return Entry.parse(JSON.parse(text)).data_dir;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
