// Allows one host per data folder. The lock is an operating system lock taken through SQLite, so it
// ends with the process, however the process ends.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DataInUse extends Error {}

export interface DataLock {
  release(): void;
}

const sqliteBusy = 5;

export function lockDataDir(dataDir: string): DataLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error;
    throw new DataInUse(
      `Another Daybook process is using the folder ${dataDir}. Stop it, or choose another folder: DAYBOOK_DATA=${dataDir}-2 npm start`,
      { cause: error },
    );
  }
  return { release: () => database.close() };
}
