// The hosts that `npm start` runs from this checkout, so that the command line finds their data. An
// entry only names a data folder; the folder itself shows whether its host is still running.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isProcessRunning } from '../running-process.ts';
import { readJsonIfValid, writeFileAtomically } from './data-files.ts';
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
  return listFileNames(registry).map((name) => {
    const path = join(registry, name);
    // An invalid entry counts as one of a host that was killed.
    const entry = readJsonIfValid(path, Entry);
    return { path, host: entry && findRunningHost(entry.data_dir) };
  });
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
}
