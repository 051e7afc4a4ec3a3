// Small files in the data folder. Each is replaced atomically, so that no reader and no crash ever
// leaves a partial file.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Readable by its owner only, because these files contain keys and secrets. */
export function writeFileAtomically(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** Removes drafts that a killed process left behind. The caller must hold the folder's lock. */
export function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) if (/\.\d+\.new$/.test(name)) rmSync(join(folder, name));
}

/** Undefined if there is no such file, or if its content is not what Daybook writes to it. */
export function readJsonIfValid<Content>(path: string, schema: z.ZodType<Content>): Content | undefined {
  const text = readFileIfExists(path);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

export function readFileIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
