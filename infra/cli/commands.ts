// Every command: what it takes, what it does, and how it says so to people and to programs.
import {
  createAccount,
  createKey,
  listAccounts,
  listKeys,
  revokeKey,
  setAccountStatus,
} from '../../shared/domain/accounts.ts';
import type { Deps } from '../../shared/domain/deps.ts';
import { rotateSigningKey } from '../../shared/domain/signing-keys.ts';
import { type ApiForm, Environment } from '../../shared/model/account.ts';
import { timestamp } from '../../shared/model/time.ts';
import { Misused } from './misused.ts';

export interface Arguments {
  name?: string | undefined;
  form?: string | undefined;
  account?: string | undefined;
  env?: string | undefined;
  /** The word after the command, where it takes one. */
  subject?: string | undefined;
}
export interface Command {
  usage: string;
  about: string;
  run(deps: Deps, args: Arguments): Promise<{ json: unknown; text: string }>;
}

export const commands: Record<string, Command> = {
  'accounts create': {
    usage: '--name NAME [--form 1|2]',
    about: 'make an account with a live and a sandbox key',
    async run(deps, args) {
      const made = await createAccount(deps, { name: required(args.name, '--name'), form: formIn(args.form) });
      return {
        json: made,
        text: [
          `account      ${made.account_id}`,
          `live key     ${made.live_key}`,
          `sandbox key  ${made.sandbox_key}`,
          'Keep the keys now: they are not shown again.',
        ].join('\n'),
      };
    },
  },
  'accounts list': {
    usage: '',
    about: 'list the accounts',
    async run(deps) {
      const accounts = (await listAccounts(deps)).map(({ id, name, status, form, createdMs }) => ({
        id,
        name,
        status,
        api_form: form,
        created_at: timestamp(createdMs),
      }));
      return {
        json: { accounts },
        text: accounts.map(({ id, status, created_at, name }) => `${id}  ${status}  ${created_at}  ${name}`).join('\n'),
      };
    },
  },
  'accounts suspend': {
    usage: 'ACCOUNT',
    about: 'answer its calls with 402 from now on',
    run: (deps, args) => statusCommand(deps, args, 'suspended'),
  },
  'accounts resume': {
    usage: 'ACCOUNT',
    about: 'serve a suspended account again',
    run: (deps, args) => statusCommand(deps, args, 'active'),
  },
  'keys create': {
    usage: '--account ACCOUNT --env live|sandbox',
    about: 'make a new key; the old one stops working at once',
    async run(deps, args) {
      const key = await createKey(deps, required(args.account, '--account'), envIn(args.env));
      return { json: { key }, text: `${key}\nKeep it now: it is not shown again. The previous key no longer works.` };
    },
  },
  'keys list': {
    usage: '--account ACCOUNT',
    about: 'list its keys by prefix and last four characters',
    async run(deps, args) {
      const found = await listKeys(deps, required(args.account, '--account'));
      return {
        json: { keys: found },
        text: found
          .map(({ id, env, status, key, expires_at }) => `${id}  ${env}  ${status}  ${key}  expires ${expires_at}`)
          .join('\n'),
      };
    },
  },
  'keys revoke': {
    usage: '--account ACCOUNT --env live|sandbox',
    about: 'leave the environment without a key',
    async run(deps, args) {
      const account = required(args.account, '--account');
      const env = envIn(args.env);
      await revokeKey(deps, account, env);
      return { json: { account_id: account, env, status: 'revoked' }, text: `The ${env} key no longer works.` };
    },
  },
  'signing-keys rotate': {
    usage: '',
    about: 'sign new user tokens with a new key; issued ones stay valid',
    async run(deps) {
      const { kid } = await rotateSigningKey(deps);
      return { json: { kid }, text: `User tokens are signed with ${kid} within a minute.` };
    },
  },
};

async function statusCommand(deps: Deps, args: Arguments, status: 'active' | 'suspended') {
  const account = required(args.subject ?? args.account, 'the account');
  await setAccountStatus(deps, account, status);
  return { json: { account_id: account, status }, text: `${account} is ${status}.` };
}

function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new Misused(`${what} is missing.`);
  return value;
}

function envIn(value: string | undefined): Environment {
  const env = Environment.safeParse(required(value, '--env'));
  if (!env.success) throw new Misused('--env is live or sandbox.');
  return env.data;
}

function formIn(value: string | undefined): ApiForm {
  if (value === undefined || value === '2') return 2;
  if (value === '1') return 1;
  throw new Misused('--form is 1 or 2.');
}
