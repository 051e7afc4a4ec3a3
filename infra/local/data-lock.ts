// Allows one host per data folder. The lock is an operating system lock taken through SQLite, so it
// ends with the process, however the process ends.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FixableError } from '../fixable-error.ts';

export class DataInUse extends FixableError {}

export class DataDirUnusable extends FixableError {}

export interface DataLock {
  release(): void;
}

const sqliteBusy = 5;

export function lockDataDir(dataDir: string): DataLock {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    const database = acquireLock(lockPath(dataDir));
    return { release: () => database.close() };
  } catch (error) {
    if (isBusy(error))
      throw new DataInUse(
        `Another Daybook process is using the folder ${dataDir}. Stop it, or choose another folder: DAYBOOK_DATA=${dataDir}-2 npm start`,
        { cause: error },
      );
    throw new DataDirUnusable(
      `Daybook cannot write to the data folder ${dataDir} (${error instanceof Error ? error.message : error}).\n` +
        'Make it a folder that you can write to, or choose another: DAYBOOK_DATA=/path/to/folder npm start',
      { cause: error },
    );
  }
}

/** Creates nothing. */
export function isDataDirLocked(dataDir: string): boolean {
  if (!existsSync(lockPath(dataDir))) return false;
  try {
    acquireLock(lockPath(dataDir)).close();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
}

const lockPath = (dataDir: string): string => join(dataDir, 'lock');

function acquireLock(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
