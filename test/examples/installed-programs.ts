// The programs of this machine that can run an example.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** npm puts its own Node first, which hides the others. */
const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'));

export function findProgram(names: readonly string[], versionArgument: string, version: RegExp): string | undefined {
  const programs = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return programs.find((program) => {
    if (!existsSync(program)) return false;
    const { status, stdout } = spawnSync(program, [versionArgument], { encoding: 'utf8' });
    return status === 0 && version.test(stdout);
  });
}
