// Calls the deployed API as a customer does: creates an account with the command line, then uses
// HTTP only.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ApiForm } from '../../shared/system/caller.ts';
import { type ApiResponse, type RequestOptions, sendRequest } from '../harness/send-request.ts';
import { deployment } from './deployment.ts';

const run = promisify(execFile);

/** Runs the real command line on the deployed table. */
export async function daybook(...args: string[]): Promise<Record<string, string>> {
  const { stdout } = await run(process.execPath, ['infra/cli/main.ts', ...args, '--json']);
  return JSON.parse(stdout);
}

export async function newAccount({ form = 2 }: { form?: ApiForm } = {}): Promise<NewAccount> {
  const {
    account_id = '',
    live_key = '',
    sandbox_key = '',
    keys_expire_at = '',
  } = await daybook('accounts', 'create', '--name', 'Deployed', '--form', String(form));
  return { account_id, live_key, sandbox_key, keys_expire_at };
}

export const call = (method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> =>
  sendRequest(deployment.apiUrl, method, path, options);

/**
 * Retries until the assertion holds, for a bounded time, because deployed workers run
 * asynchronously.
 */
export async function eventually(attempt: () => Promise<void>, seconds = 40): Promise<void> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await pause(250);
  }
}
