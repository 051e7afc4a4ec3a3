// Deploys the whole system to an emulator with the real CDK, runs the tests of this folder against
// it, and removes everything again. `--lenient` leaves IAM unenforced; every other argument is
// passed to vitest.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { bundleFunctions, renderSizeTable } from '../../infra/build/bundle.ts';
import { functions } from '../../infra/functions.ts';
import { projectRoot, SetupError, workFolder } from '../harness/python-environment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { installTools } from './tools.ts';

const stackName = 'DaybookTest';
const logs = path.join(workFolder, 'deployed');
const cdkOut = path.join(logs, 'cdk.out');
const programs = path.join(projectRoot, 'node_modules/.bin');
const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--lenient');
const lenient = process.argv.includes('--lenient');

const timings: string[] = [];
async function stage<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  console.log(`· ${title}`);
  try {
    return await work();
  } finally {
    timings.push(`${((performance.now() - start) / 1000).toFixed(1).padStart(7)} s  ${title}`);
  }
}

interface Command {
  program: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Without a log file, the output goes to the terminal. */
  logFile?: string;
}

function run({ program, args, environment, logFile }: Command): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(programs, program), args, {
      cwd: projectRoot,
      env: { ...environment, PATH: `${programs}:${process.env['PATH']}` },
      stdio: logFile ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    if (logFile) {
      const log = createWriteStream(logFile);
      child.stdout?.pipe(log, { end: false });
      child.stderr?.pipe(log, { end: false });
      child.on('close', () => log.end());
    }
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

async function cdk(emulator: Emulator, name: string, args: readonly string[]): Promise<void> {
  const logFile = path.join(logs, `cdk-${name}.log`);
  const code = await run({ program: 'cdk', args, environment: emulator.environment, logFile });
  if (code !== 0) throw new SetupError(`cdk ${name} exited with code ${code}:\n${readFileSync(logFile, 'utf8')}`);
}

const context = {
  ephemeral: 'true',
  emulator: 'true',
  stackName,
  mailSender: 'Team Süd <no-reply@mail.example.com>',
};
const deploymentFlags = [
  ...Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ...['-o', cdkOut],
];

interface Outputs {
  ApiUrl: string;
  TableName: string;
  SecretId: string;
  MailSender: string;
}

async function deploy(emulator: Emulator): Promise<Outputs> {
  await stage('bootstrap the account', () =>
    cdk(emulator, 'bootstrap', ['bootstrap', '--app', '', 'aws://000000000000/us-east-1']),
  );
  const outputsFile = path.join(logs, 'outputs.json');
  await stage('deploy', () =>
    cdk(emulator, 'deploy', [
      'deploy',
      stackName,
      '--require-approval',
      'never',
      '--progress',
      'events',
      '--outputs-file',
      outputsFile,
      ...deploymentFlags,
    ]),
  );
  const outputs: Record<string, Outputs> = JSON.parse(readFileSync(outputsFile, 'utf8'));
  const ours = outputs[stackName];
  if (!ours?.ApiUrl || !ours.TableName || !ours.SecretId || !ours.MailSender) {
    throw new SetupError(
      `The deployment did not print ApiUrl, TableName, SecretId and MailSender: ${JSON.stringify(outputs)}`,
    );
  }
  return ours;
}

/** Returns the emulator's own address for the API, because its API host names do not resolve. */
function reachableUrl(emulator: Emulator, outputs: Outputs): string {
  const [apiId] = new URL(outputs.ApiUrl).hostname.split('.');
  return `${emulator.url}/_aws/execute-api/${apiId}/$default`;
}

async function testDeployment(emulator: Emulator): Promise<number> {
  const outputs = await deploy(emulator);
  const code = await stage('test', () =>
    run({
      program: 'vitest',
      args: ['run', '--config', 'test/vitest.config.ts', '--project', 'deployed', ...vitestArguments],
      environment: {
        ...emulator.environment,
        DAYBOOK_API_URL: reachableUrl(emulator, outputs),
        DAYBOOK_TABLE: outputs.TableName,
        DAYBOOK_SECRET_ID: outputs.SecretId,
        DAYBOOK_MAIL_SENDER: outputs.MailSender,
        DAYBOOK_ENFORCES_IAM: String(!lenient),
      },
    }),
  );
  await stage('destroy', () => cdk(emulator, 'destroy', ['destroy', stackName, '--force', ...deploymentFlags]));
  return code;
}

async function main(): Promise<number> {
  mkdirSync(logs, { recursive: true });
  const bin = await stage('find the emulator', async () => installTools((line) => console.log(`  ${line}`)));
  const bundles = await stage('bundle the functions', () => bundleFunctions(functions));
  console.log(renderSizeTable(bundles));
  const emulatorLog = path.join(logs, 'emulator.log');
  const emulator = await stage(`start the emulator${lenient ? '' : ' with IAM enforced'}`, () =>
    startEmulator({ bin, lenient, logFile: emulatorLog }),
  );
  const interrupted = (): void => void emulator.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const code = await testDeployment(emulator);
    if (code !== 0) console.error(`The emulator's log is in ${path.relative(projectRoot, emulatorLog)}`);
    return code;
  } finally {
    await emulator.stop();
    await rm(cdkOut, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  console.log(timings.join('\n'));
}
