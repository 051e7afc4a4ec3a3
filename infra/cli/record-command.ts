// Records what the command line does to an account in its audit trail.
import { accountRows } from '../../shared/accounts/account-rows.ts';
import type { AuditAction } from '../../shared/audit/actions.ts';
import { recordAct } from '../../shared/audit/record-act.ts';
import type { Actor, Environment } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { userRows } from '../../shared/users/user-rows.ts';

export const commandLine: Actor = { kind: 'command_line' };

interface AccountCommand {
  account: string;
  /** Only for what concerns one environment. */
  env?: Environment;
  action: AuditAction;
}

/** An account that does not exist has no trail. */
export async function recordCommand<T>(
  deps: Deps,
  { account, env = 'live', action }: AccountCommand,
  work: () => Promise<T>,
  idsOf?: (result: T) => readonly string[],
): Promise<T> {
  if (!(await accountRows(deps.store).findById(account)))
    throw new Failure('not_found', `Account ${account} not found.`);
  return recordAct(deps, { account, env, actor: commandLine, action, ids: [account] }, work, idsOf);
}

/** Without its user there is nothing to record, and the work says what is missing. */
export async function recordUserCommand<T>(
  deps: Deps,
  { user: userId, action, ids }: { user: string; action: AuditAction; ids: readonly string[] },
  work: () => Promise<T>,
): Promise<T> {
  const user = await userRows(deps.store).findById(userId);
  if (!user) return work();
  const { account, env } = user;
  return recordAct(deps, { account, env, actor: commandLine, action, ids: [userId, ...ids] }, work);
}
