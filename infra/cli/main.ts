// The entry of the CLI: accounts, keys, providers, devices and quarantined uploads of a deployment
// on this machine or on AWS.
import { parseArgs } from 'node:util';
import { chooseStore } from './choose-store.ts';
import { type CliCommand, SettingsError, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { assertProviderSettings, openDeployment } from './deployment.ts';
import { runDoctor } from './doctor.ts';
import { renderHelp, renderUsage } from './help.ts';
import { escapeForTerminal, renderJson } from './terminal-text.ts';

const options = {
  name: { type: 'string' },
  form: { type: 'string' },
  account: { type: 'string' },
  env: { type: 'string' },
  overlap: { type: 'string' },
  email: { type: 'string' },
  user: { type: 'string' },
  key: { type: 'string' },
  timeout: { type: 'string' },
  device: { type: 'string' },
  'per-second': { type: 'string' },
  base: { type: 'string' },
  all: { type: 'boolean', default: false },
  'keep-credentials': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArguments();
  const [noun, verb, positional, ...more] = positionals;
  if (values.help || noun === undefined || noun === 'help') {
    process.stdout.write(renderHelp(noun === 'help' ? verb : noun));
    return 0;
  }
  if (noun === 'doctor' && verb === undefined) return runDoctor(values.json);
  const name = [noun, verb].join(' ').trim();
  const command: CliCommand | undefined = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command: ${positionals.join(' ')}`);
  const takesArgument = /^[A-Z]/.test(command.usage);
  const unexpected = takesArgument ? more[0] : positional;
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}`);
  const run = command.prepare({ ...values, positional });
  if (command.readsProviderSettings) assertProviderSettings(process.env);
  const store = chooseStore(process.env);
  if (store.refusal !== undefined && !command.createsStore) throw new Error(store.refusal);
  process.stderr.write(`${store.notice}\n`);
  const deployment = await openDeployment(process.env, store);
  try {
    const result = await run(deployment.deps, store);
    process.stdout.write(values.json ? `${renderJson(result.json)}\n` : `${escapeForTerminal(result.text)}\n`);
    return 0;
  } finally {
    await deployment.close();
  }
}

function parseArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const message = escapeForTerminal(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) process.stderr.write(`${message}\n\n${renderUsage(process.argv.slice(2))}`);
  else process.stderr.write(`${message}\n`);
  process.exitCode = error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
}
