// All commands: their arguments, what they do, and their output as text and as JSON.

import { Account, type AccountStatus } from '../../shared/accounts/account.ts';
import { createAccount, listAccounts, setAccountLimit, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { rotateSigningKey } from '../../shared/accounts/signing-keys.ts';
import { buildDoneEntry } from '../../shared/audit/record-act.ts';
import { listQuarantinedUploads, retryQuarantinedUpload } from '../../shared/pipeline/writer/command-attempts.ts';
import { maxPerSecond, rateLimit } from '../../shared/platform/rate-limit.ts';
import { formatTimestamp } from '../../shared/platform/time/time.ts';
import type { ApiForm } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { type CliCommand, type CommandArguments, type CommandResult, requireArgument, UsageError } from './command.ts';
import { consoleCommands } from './console-commands.ts';
import { deviceCommands } from './device-commands.ts';
import { envCommand } from './env-command.ts';
import { keyCommands } from './key-commands.ts';
import { providerCommands } from './provider-commands.ts';
import { commandLine, recordCommand, recordUserCommand } from './record-command.ts';
import { rescoringCommands } from './rescoring-commands.ts';
import { renderRow } from './terminal-text.ts';
import { userCommands } from './user-commands.ts';

export const commands: Record<string, CliCommand> = {
  env: envCommand,
  'accounts create': {
    usage: '--name NAME [--form 1|2]',
    summary:
      'create an account with a live and a sandbox key; --form is the form of the API it uses (2 by default) and cannot be changed later',
    createsStore: true,
    prepare(args) {
      const input = { name: parseName(args.name), form: parseForm(args.form) };
      return async (deps) => {
        const created = await createAccount(deps, input, (account) => [
          buildDoneEntry(deps, {
            account,
            env: 'live',
            actor: commandLine,
            action: 'account.created',
            ids: [account],
          }),
        ]);
        return {
          json: created,
          text: [
            `account      ${created.account_id}`,
            `live key     ${created.live_key}`,
            `sandbox key  ${created.sandbox_key}`,
            'Save the keys now. They will not be shown again.',
            `The keys end on ${created.keys_expire_at}. Create the next ones before, with "keys create".`,
          ].join('\n'),
        };
      };
    },
  },
  'accounts list': {
    usage: '',
    summary: 'list the accounts',
    prepare: () => async (deps) => {
      const accounts = (await listAccounts(deps)).map(({ id, name, status, form, perSecond, createdMs }) => ({
        id,
        name,
        status,
        api_form: form,
        requests_per_second: perSecond,
        created_at: formatTimestamp(createdMs),
      }));
      const lines = accounts.map(({ id, status, api_form, requests_per_second, created_at, name }) =>
        renderRow(id, status, `form ${api_form}`, `${requests_per_second}/s`, created_at, name),
      );
      return { json: { accounts }, text: lines.join('\n') || 'No accounts yet. Create one with "accounts create".' };
    },
  },
  'accounts suspend': {
    usage: 'ACCOUNT',
    summary: "reject the account's keys and user tokens with 402; phones can still upload",
    prepare: (args) => prepareStatusChange(args, 'suspended'),
  },
  'accounts resume': {
    usage: 'ACCOUNT',
    summary: 'resume a suspended account',
    prepare: (args) => prepareStatusChange(args, 'active'),
  },
  'accounts limit': {
    usage: 'ACCOUNT --per-second N',
    summary: `set how many requests per second each key of the account can make (${rateLimit.perSecond} by default), with bursts of twice that number`,
    prepare(args) {
      const account = requireArgument(args.positional ?? args.account, 'The account');
      const perSecond = parseLimit(args['per-second']);
      return async (deps) => {
        await recordCommand(deps, { account, action: 'account.limit_changed' }, () =>
          setAccountLimit(deps, account, perSecond),
        );
        return {
          json: { account_id: account, requests_per_second: perSecond },
          text: `Each key of ${account} can now make ${perSecond} requests per second.`,
        };
      };
    },
  },
  ...keyCommands,
  ...consoleCommands,
  'uploads list': {
    usage: '',
    summary: 'list uploads that could not be processed and were quarantined',
    prepare: () => async (deps) => {
      const uploads = (await listQuarantinedUploads(deps)).map((row) => ({
        batch_id: row.id,
        user_id: row.user,
        device_id: row.device,
        source: row.kind === 'upload' ? row.source : null,
        format: row.kind === 'upload' ? row.format : null,
        records: row.kind === 'upload' ? row.records : null,
        received_at: formatTimestamp(row.receivedMs),
        quarantined_at: formatTimestamp(row.quarantinedMs),
        reason: row.reason,
      }));
      const lines = uploads.map(({ batch_id, user_id, quarantined_at, reason }) =>
        renderRow(batch_id, user_id, quarantined_at, reason),
      );
      return { json: { uploads }, text: lines.join('\n') || 'No uploads are quarantined.' };
    },
  },
  'uploads retry': {
    usage: 'BATCH|all',
    summary: 'process a quarantined upload as if it had just arrived',
    prepare(args) {
      const requestedId = requireArgument(args.positional, 'The batch (or all)');
      return async (deps) => {
        const matching = (await listQuarantinedUploads(deps)).filter(
          ({ id }) => requestedId === 'all' || id === requestedId,
        );
        if (matching.length === 0 && requestedId !== 'all')
          throw new Failure(
            'not_found',
            `Upload ${requestedId} is not quarantined. Run "uploads list" to see the ones that are.`,
          );
        const retried: string[] = [];
        const left: string[] = [];
        for (const row of matching)
          try {
            await recordUserCommand(deps, { user: row.user, action: 'upload.retried', ids: [row.device] }, () =>
              retryQuarantinedUpload(deps, row),
            );
            retried.push(row.id);
          } catch (error) {
            // An upload whose device no longer exists must not stop the others.
            if (requestedId !== 'all' || !(error instanceof Failure)) throw error;
            left.push(error.message);
          }
        const summary = `${retried.length} ${retried.length === 1 ? 'upload' : 'uploads'} will be processed within two minutes.`;
        return { json: { retried, left }, text: [summary, ...left].join('\n') };
      };
    },
  },
  ...providerCommands,
  ...userCommands,
  ...rescoringCommands,
  ...deviceCommands,
  'signing-keys rotate': {
    usage: '',
    summary: 'sign new user tokens with a new key; tokens already issued stay valid',
    prepare: () => async (deps) => {
      const { kid } = await rotateSigningKey(deps);
      return { json: { kid }, text: `New user tokens will be signed with ${kid} within a minute.` };
    },
  },
};

function prepareStatusChange(args: CommandArguments, status: AccountStatus): (deps: Deps) => Promise<CommandResult> {
  const account = requireArgument(args.positional ?? args.account, 'The account');
  return async (deps) => {
    const action = status === 'suspended' ? 'account.suspended' : 'account.resumed';
    await recordCommand(deps, { account, action }, () => setAccountStatus(deps, account, status));
    return { json: { account_id: account, status }, text: `${account} is ${status}.` };
  };
}

function parseName(value: string | undefined): string {
  const name = Account.shape.name.safeParse(requireArgument(value, '--name'));
  if (!name.success) throw new UsageError('--name must be at most 200 characters long.');
  return name.data;
}

function parseLimit(value: string | undefined): number {
  const text = requireArgument(value, '--per-second');
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > maxPerSecond)
    throw new UsageError(`--per-second must be a whole number from 1 to ${maxPerSecond}.`);
  return Number(text);
}

function parseForm(value: string | undefined): ApiForm {
  if (value === undefined || value === '2') return 2;
  if (value === '1') return 1;
  throw new UsageError('--form must be 1 or 2.');
}
