// A child process that never outlives the host: when the host exits, even by kill -9, a pipe closes
// and the child is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

export interface GuardedProcess {
  readonly pid: number;
  readonly running: boolean;
  /** The last lines of its output, to show when it fails. */
  output(): string;
  /** Resolves when the process has ended, with the reason in words. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const maxOutputCharacters = 4_000;
const graceMilliseconds = 3_000;

// The watcher reads a pipe whose other end only the host has open. `$$` is the pid of this shell,
// which `exec` turns into the engine.
const guardScript = '(exec >/dev/null 2>&1; read _ <&3; kill -9 $$) & exec "$@" 3<&-';

export async function startGuarded(
  command: string,
  args: string[],
  options: { cwd?: string } = {},
): Promise<GuardedProcess> {
  const child = spawn('sh', ['-c', guardScript, 'sh', command, ...args], {
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C in the terminal reaches only the host, which then stops
    // the engine in order.
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} did not start`);

  let output = '';
  const appendOutput = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-maxOutputCharacters);
  };
  child.stdout?.on('data', appendOutput);
  child.stderr?.on('data', appendOutput);

  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      running = false;
      // Ends the watcher before its pipe closes, so that it cannot kill an unrelated process that
      // reuses the pid.
      killGroup(pid);
      releasePipes(child);
      resolve(signal ? `ended by ${signal}` : `ended with code ${code}`);
    });
  });

  return {
    pid,
    get running() {
      return running;
    },
    output: () => output.trim(),
    ended,
    async stop() {
      if (!running) return;
      child.kill('SIGTERM');
      const grace = new AbortController();
      await Promise.race([ended, sleep(graceMilliseconds, undefined, { signal: grace.signal }).catch(ignoreAbort)]);
      grace.abort();
      if (running) killGroup(pid);
      await ended;
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error;
  }
}

function releasePipes(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
