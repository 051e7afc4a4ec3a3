// What a command of the command line is.
import type { Deps } from '../../shared/system/deps.ts';
import { UsageError } from './usage-error.ts';

export interface CommandArguments {
  name?: string | undefined;
  form?: string | undefined;
  account?: string | undefined;
  env?: string | undefined;
  user?: string | undefined;
  device?: string | undefined;
  'per-second'?: string | undefined;
  /** Where the deployment is reached. */
  base?: string | undefined;
  /** The word after the command, where it takes one. */
  positional?: string | undefined;
}
export interface CliCommand {
  usage: string;
  summary: string;
  /** Throws Misused for wrong arguments, before anything is opened or changed. */
  prepare(args: CommandArguments): (deps: Deps) => Promise<CommandResult>;
}
export interface CommandResult {
  json: unknown;
  text: string;
}

export function requireArgument(value: string | undefined, label: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${label} is missing.`);
  return value;
}
