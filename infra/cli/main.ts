// The command line: accounts, keys, providers, devices and uploads that were set aside, of a deployment on this machine or in an AWS account.
import { parseArgs } from 'node:util';
import type { CliCommand } from './command.ts';
import { commands } from './commands.ts';
import { openDeployment } from './deployment.ts';
import { doctor } from './doctor.ts';
import { help } from './help.ts';
import { Misused } from './misused.ts';

const options = {
  name: { type: 'string' },
  form: { type: 'string' },
  account: { type: 'string' },
  env: { type: 'string' },
  user: { type: 'string' },
  device: { type: 'string' },
  'per-second': { type: 'string' },
  base: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parsed();
  const [noun, verb, subject, ...more] = positionals;
  if (values.help || noun === undefined || noun === 'help') {
    process.stdout.write(help(noun === 'help' ? verb : noun));
    return 0;
  }
  if (noun === 'doctor' && verb === undefined) return doctor(values.json);
  const command: CliCommand | undefined = commands[`${noun} ${verb ?? ''}`];
  if (!command) throw new Misused(`Unknown command: ${positionals.join(' ')}`);
  const takesOne = /^[A-Z]/.test(command.usage);
  const surplus = takesOne ? more[0] : subject;
  if (surplus !== undefined) throw new Misused(`Unexpected argument: ${surplus}`);
  const run = command.prepare({ ...values, subject });
  const deployment = await openDeployment(process.env);
  try {
    const result = await run(deployment.deps);
    process.stdout.write(values.json ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
    return 0;
  } finally {
    await deployment.close();
  }
}

function parsed() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Misused(error instanceof Error ? error.message : String(error));
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof Misused) process.stderr.write(`${error.message}\n\n${help(undefined)}`);
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof Misused ? 2 : 1;
}
