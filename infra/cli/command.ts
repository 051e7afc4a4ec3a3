// What a command of the command line is.
import type { Deps } from '../../shared/system/deps.ts';
import { Misused } from './misused.ts';

export interface Arguments {
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
  subject?: string | undefined;
}
export interface CliCommand {
  usage: string;
  about: string;
  /** Throws Misused for wrong arguments, before anything is opened or changed. */
  prepare(args: Arguments): (deps: Deps) => Promise<Result>;
}
export interface Result {
  json: unknown;
  text: string;
}

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new Misused(`${what} is missing.`);
  return value;
}
