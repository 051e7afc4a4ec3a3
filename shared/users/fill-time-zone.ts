// Sets the time zone of a profile without one to the first that a phone, a browser or a provider
// names. An existing time zone is never replaced here.

import { writeConditionally } from '../platform/conditional-write.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { TransactionCanceled } from '../platform/ports.ts';
import { TimeZone } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import { newId } from '../system/new-id.ts';
import { commitConditionally } from '../system/store.ts';
import { commandRows } from './command-rows.ts';
import { readUserContext } from './user-context.ts';
import { type UserRow, userRows } from './user-rows.ts';
import { wakeUser } from './wake-user.ts';

const maxRetries = 20;

/**
 * Returns the updated user, or the unchanged user if it needs no time zone or the name is not
 * valid. Of two concurrent calls one sets the time zone; a caller's change always wins.
 */
export async function fillTimeZone(deps: Deps, knownUser: UserRow, name: string | null | undefined): Promise<UserRow> {
  const zone = TimeZone.safeParse(name).data;
  return optimisticRetry({ what: 'a user', retries: maxRetries }, async (conflicts) => {
    const current = conflicts === 0 ? knownUser : (await readUserContext(deps, knownUser.id))?.user;
    if (!current || !needsTimeZone(current) || zone === undefined) return current ?? knownUser;
    const filled = await tryFillTimeZone(deps, current, zone);
    if (!filled) throw new TransactionCanceled([]);
    if (!isNew(current)) await wakeUser(deps, knownUser.id);
    return filled;
  });
}

/** For requests with another purpose, which must not fail if the time zone cannot be set. */
export async function offerTimeZone(deps: Deps, knownUser: UserRow, name: string | null): Promise<void> {
  try {
    await fillTimeZone(deps, knownUser, name);
  } catch (error) {
    deps.log('warn', 'time_zone_not_filled', { user_id: knownUser.id, cause: String(error) });
  }
}

/** A user who shares no data, or is being erased, is not updated. */
export const needsTimeZone = ({ status, timezone }: UserRow): boolean => status === 'active' && timezone === null;

/**
 * Every day follows the new time zone, as after a caller's change, unless no pass has built any.
 * Returns undefined if the user has changed since it was read.
 */
export async function tryFillTimeZone(deps: Deps, user: UserRow, zone: string): Promise<UserRow | undefined> {
  const { store, clock } = deps;
  const fillWrite = userRows(store).buildFillTimeZone(user, zone);
  const isFilled = isNew(user)
    ? (await writeConditionally(store.table, fillWrite)).applied
    : await commitConditionally(store, [
        fillWrite,
        commandRows(store).buildRequest(user.id, 'recount', newId(deps, 'command'), clock.now()),
      ]);
  return isFilled ? { ...user, timezone: zone, timezoneSource: 'device', revision: user.revision + 1 } : undefined;
}

/** No pass has processed the user yet. */
const isNew = ({ fence }: UserRow): boolean => fence === 0;
