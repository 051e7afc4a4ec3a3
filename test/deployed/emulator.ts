// Starts one AWS emulator on a free port with its own temporary folder. IAM is enforced unless the
// emulator is lenient.
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get as overHttp } from 'node:http';
import { get as overHttps } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SetupError } from '../harness/python-environment.ts';

export interface Emulator {
  url: string;
  /**
   * The complete environment for a process that uses the emulator, without any of the caller's own
   * AWS settings.
   */
  environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const startupTimeoutMs = 30_000;

export async function startEmulator(options: { bin: string; lenient: boolean; logFile: string }): Promise<Emulator> {
  const { lenient } = options;
  const scratch = await mkdtemp(path.join(tmpdir(), 'daybook-emulator-'));
  const port = await freePort();
  const url = `${lenient ? 'http' : 'https'}://127.0.0.1:${port}`;
  const certificate = path.join(scratch, 'ministack-tls', 'server.crt');
  const log = openSync(options.logFile, 'w');
  const child = spawn(path.join(options.bin, 'ministack'), [], {
    // Functions run on the first node of this PATH and inherit the whole environment, so it has
    // nothing else in it.
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: scratch,
      TMPDIR: scratch,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      ...(lenient ? {} : { AUTH: 'true', USE_SSL: '1' }),
    },
    stdio: ['ignore', log, log],
    // A separate process group, so that its function processes end with it.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    await endGroup(child);
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child, () => isHealthy(url, lenient ? undefined : certificate), options.logFile);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, environment: clientEnvironment(url, lenient ? undefined : certificate), stop };
}

function clientEnvironment(url: string, certificate: string | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_|_PROXY$/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    AWS_ENDPOINT_URL: url,
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    CDK_DEFAULT_ACCOUNT: '000000000000',
    CDK_DEFAULT_REGION: 'us-east-1',
    ...(certificate ? { NODE_EXTRA_CA_CERTS: certificate, AWS_CA_BUNDLE: certificate } : {}),
  };
}

async function waitUntilReady(child: ChildProcess, healthy: () => Promise<boolean>, logFile: string): Promise<void> {
  const deadline = Date.now() + startupTimeoutMs;
  while (!(await healthy())) {
    if (child.exitCode !== null || child.pid === undefined) {
      throw new SetupError(`The emulator ended before it was ready:\n${readFileSync(logFile, 'utf8')}`);
    }
    if (Date.now() > deadline)
      throw new SetupError(`The emulator was not ready in ${startupTimeoutMs / 1000} s; see ${logFile}`);
    await pause(50);
  }
}

function isHealthy(url: string, certificate: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    let ca: string | undefined;
    try {
      ca = certificate ? readFileSync(certificate, 'utf8') : undefined;
    } catch {
      // The emulator creates the certificate while it starts.
      resolve(false);
      return;
    }
    const request = ca ? overHttps(`${url}/_ministack/health`, { ca }) : overHttp(`${url}/_ministack/health`);
    request.on('error', () => resolve(false));
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  signalGroup(pid, 'SIGTERM');
  await Promise.race([ended, pause(5_000, undefined, { ref: false })]);
  signalGroup(pid, 'SIGKILL');
  await ended;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const groupIsGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!groupIsGone) throw error;
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system has no free port.'));
      });
    });
  });
