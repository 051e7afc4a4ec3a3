// The real system in its own process on a data folder, so that a test can kill and restart it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** The entry of `npm start`, whose first start also creates a fictional person. */
export const startProgram = fileOf('../../infra/local/start.ts');
const hostProgram = fileOf('./host-program.ts');
const Demo = z.object({ account_id: z.string(), live_key: z.string(), sandbox_key: z.string() });

export interface ChildHost {
  process: ChildProcess;
  baseUrl: string;
  /** The keys of the account that the first start creates. */
  demo: z.infer<typeof Demo>;
  /** What it has printed, without what is older than 20,000 characters. */
  output(): string;
  /** Kills the process, like a power failure. */
  kill(): Promise<void>;
}

/** The caller kills it. */
export async function startChildHost(dataDir: string, program = hostProgram): Promise<ChildHost> {
  const child = spawn(process.execPath, ['--import', fileOf('../../infra/node-version.js'), program], {
    // A host registers where it starts; commands in this checkout are not meant to find this one.
    cwd: dataDir,
    env: { PATH: process.env['PATH'], PORT: '0', DAYBOOK_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
      const found = /^ready (\S+)$/m.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(`the host exited before it was ready; its output: ${output}`)));
  });
  const demo = Demo.parse(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')));
  return { process: child, baseUrl, demo, output: () => output, kill };
}
