// Commands that create, list and revoke API keys.

import { listKeys, maxKeyOverlapMs, type NewKey, replaceKey, revokeKey } from '../../shared/accounts/accounts.ts';
import { dayMs } from '../../shared/platform/time/local-day.ts';
import { Environment } from '../../shared/system/caller.ts';
import { type CliCommand, requireArgument, UsageError } from './command.ts';
import { recordCommand } from './record-command.ts';
import { renderRow } from './terminal-text.ts';

export const keyCommands: Record<string, CliCommand> = {
  'keys create': {
    usage: '--account ACCOUNT --env live|sandbox [--overlap 24h]',
    summary:
      'create a new key; the old one stops working immediately, or after --overlap (such as 30m, 24h or 7d; 7 days at most). One old key at most still works: creating another key ends an earlier overlap',
    prepare(args) {
      const [account, env] = [requireArgument(args.account, '--account'), parseEnv(args.env)];
      const overlapMs = args.overlap === undefined ? 0 : parseOverlap(args.overlap);
      return async (deps) => {
        const created = await recordCommand(
          deps,
          { account, env, action: 'key.replaced' },
          () => replaceKey(deps, account, env, overlapMs),
          ({ id }) => [id],
        );
        return { json: created, text: renderNewKey(created, overlapMs > 0) };
      };
    },
  },
  'keys list': {
    usage: '--account ACCOUNT',
    summary: "list the account's keys by prefix and last four characters, and when each ends",
    prepare(args) {
      const account = requireArgument(args.account, '--account');
      return async (deps) => {
        const keys = await listKeys(deps, account);
        const lines = keys.map(({ id, env, status, key, ends_at }) => {
          const verb = status === 'active' || status === 'ending' ? 'ends' : 'ended';
          return renderRow(id, env, status, key, `${verb} ${ends_at}`);
        });
        return { json: { keys }, text: lines.join('\n') };
      };
    },
  },
  'keys revoke': {
    usage: '--account ACCOUNT --env live|sandbox',
    summary:
      'revoke the keys of an environment without a new one, also one that an overlap keeps; its user tokens stop working, too. For a leaked key, use "keys create" without --overlap',
    prepare(args) {
      const [account, env] = [requireArgument(args.account, '--account'), parseEnv(args.env)];
      return async (deps) => {
        await recordCommand(
          deps,
          { account, env, action: 'key.revoked' },
          () => revokeKey(deps, account, env),
          (ids) => ids,
        );
        return { json: { account_id: account, env, status: 'revoked' }, text: `No ${env} key works any longer.` };
      };
    },
  },
};

function renderNewKey({ key, expires_at, previous_key_ends_at }: NewKey, isOverlapRequested: boolean): string {
  const previous =
    previous_key_ends_at !== undefined
      ? `The previous key works until ${previous_key_ends_at}.`
      : isOverlapRequested
        ? 'There was no previous key that still worked.'
        : 'The previous key no longer works.';
  return [
    key,
    'Save it now. It will not be shown again.',
    `The key ends on ${expires_at}. Create the next one before.`,
    previous,
  ].join('\n');
}

function parseEnv(value: string | undefined): Environment {
  const env = Environment.safeParse(requireArgument(value, '--env'));
  if (!env.success) throw new UsageError('--env must be live or sandbox.');
  return env.data;
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs };

function parseOverlap(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (!(ms <= maxKeyOverlapMs))
    throw new UsageError('--overlap must be minutes, hours or days, such as 30m, 24h or 7d, and at most 7 days.');
  return ms;
}
