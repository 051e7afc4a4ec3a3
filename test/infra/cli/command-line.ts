// Runs the real command line in a separate process, on a data folder that is removed after the
// test.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { functions, queues } from '../../../infra/functions.ts';
import { type Host, startHost } from '../../../infra/local/host.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

export interface CommandResult {
  code: number | null;
  out: string;
  /** The line on stderr that says which data the command uses. */
  notice: string;
  /** What follows it. */
  err: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects, and fails where it is not there.
  json: any;
}

export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const daybook = (dataDir: string, args: string[], env: Record<string, string> = {}): Promise<CommandResult> =>
  daybookIn(repository, args, { DAYBOOK_DATA: dataDir, ...env });

/** In another checkout, whose sources are the same. */
export function daybookIn(checkout: string, args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const [preload, program] = ['infra/node-version.js', 'infra/cli/main.ts'].map((file) => join(repository, file));
  const child = spawn(process.execPath, ['--import', `${preload}`, `${program}`, ...args], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const [notice = ''] = /^(Using|Creating) .*\n/.exec(err) ?? [];
      const json = out.startsWith('{') ? JSON.parse(out) : undefined;
      resolve({ code, out, notice, err: err.slice(notice.length), json });
    });
  });
}

export async function startHostOn(dataDir: string): Promise<Host> {
  const host = await startHost({
    port: 0,
    dataDir,
    functions,
    queues,
    bundles: await loadBuiltFunctions(),
    runsSchedules: false,
    log: () => {},
    env: { PATH: process.env['PATH'] },
  });
  onTestFinished(() => host.stop());
  return host;
}
