// The interface of a CLI command.
import type { Deps } from '../../shared/system/deps.ts';

export interface CommandArguments {
  name?: string | undefined;
  form?: string | undefined;
  account?: string | undefined;
  env?: string | undefined;
  /** How long the previous key keeps working. */
  overlap?: string | undefined;
  /** The address of a colleague. */
  email?: string | undefined;
  user?: string | undefined;
  key?: string | undefined;
  /** In seconds. */
  timeout?: string | undefined;
  device?: string | undefined;
  'per-second'?: string | undefined;
  /** What a colleague made goes on working. */
  'keep-credentials'?: boolean | undefined;
  /** Every account instead of one. */
  all?: boolean | undefined;
  /** The base URL of the deployment. */
  base?: string | undefined;
  /** The argument after the command, for commands that take one. */
  positional?: string | undefined;
}
export interface CliCommand {
  usage: string;
  summary: string;
  /** The command reads the providers' credentials, which a deployment on AWS has in a secret. */
  readsProviderSettings?: true;
  /** The command may be the first one on a new store. Others would find nothing there. */
  createsStore?: true;
  /** Throws UsageError for invalid arguments, before anything is opened or changed. */
  prepare(args: CommandArguments): (deps: Deps, store?: UsedStore) => Promise<CommandResult>;
}
/** What a command may know of the store that it works on. */
export interface UsedStore {
  isServed: boolean;
  /** Undefined for a deployment on AWS. */
  dataDir?: string | undefined;
}

export interface CommandResult {
  json: unknown;
  text: string;
}

export function requireArgument(value: string | undefined, label: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${label} is missing.`);
  return value;
}

/**
 * A command was called with invalid arguments. The CLI prints the message and the command's usage.
 */
export class UsageError extends Error {}

/** A setting is missing or does not fit. The CLI prints the message, which says what to set. */
export class SettingsError extends Error {}
