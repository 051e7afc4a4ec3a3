// The addresses of a running host's engines, written to its data folder for the CLI and removed at
// a clean stop.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonIfValid, writeFileAtomically } from './data-files.ts';

const HostFile = z.object({
  pid: z.number(),
  base_url: z.string(),
  table_endpoint: z.string(),
  table_name: z.string(),
  queue_endpoint: z.string(),
  queue_urls: z.record(z.string(), z.string()),
  bus_endpoint: z.string(),
});
export type HostFile = z.infer<typeof HostFile>;

const hostFilePath = (dataDir: string) => join(dataDir, 'host.json');

export function writeHostFile(dataDir: string, file: HostFile): void {
  writeFileAtomically(hostFilePath(dataDir), `${JSON.stringify(file, null, 2)}\n`);
}

export function removeHostFile(dataDir: string): void {
  rmSync(hostFilePath(dataDir), { force: true });
}

/**
 * The file can be left over after a kill -9. Only the lock of the data folder shows whether the
 * host is running.
 */
export const readHostFile = (dataDir: string): HostFile | undefined => readJsonIfValid(hostFilePath(dataDir), HostFile);
