// The fictional person that the first start creates, so that the console opens on a week of data. The
// data arrives while the reader signs in.
import { isTimeZone } from '../../shared/platform/time/time.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { UserId } from '../../shared/system/ids.ts';
import { userRows } from '../../shared/users/user-rows.ts';
import { createUser } from '../../shared/users/users.ts';
import { type DemoAccount, recordDemoPerson } from './demo-account.ts';

export const demoReference = 'sample-person';

/**
 * Creates the person if no start has done so before, and returns their id while they exist. A start
 * that is killed halfway leaves the reference in the table or nothing, so the next one completes it.
 */
export async function ensureDemoPerson(deps: Deps, demo: DemoAccount): Promise<string | undefined> {
  if (demo.sandbox_user !== undefined) {
    const row = await userRows(deps.store).findById(demo.sandbox_user);
    return row?.status === 'active' ? row.id : undefined;
  }
  const id = await createOrFindPerson(deps, demo.account_id);
  recordDemoPerson(demo, id);
  return id;
}

async function createOrFindPerson(deps: Deps, account: string): Promise<string> {
  const caller: Caller = { kind: 'command_line', account, env: 'sandbox', form: 2 };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    const { id } = await createUser(deps, caller, {
      external_ref: demoReference,
      timezone: isTimeZone(timeZone) ? timeZone : 'UTC',
    });
    return id;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'external_ref_taken') throw error;
    return UserId.parse(error.details['user_id']);
  }
}
