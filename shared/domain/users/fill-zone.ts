// A profile without a time zone takes the first one that a phone, a browser or a provider names. A zone that is set is never replaced here.
import { TransactionRefused } from '../../engine/ports.ts';
import { TimeZone } from '../../model/time.ts';
import { conditionalCommit, conditionalWrite } from '../../store/conditional-write.ts';
import type { DeviceRow } from '../../store/devices.ts';
import { rezoningRows } from '../../store/rezonings.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';
import { wake } from '../work/wake.ts';
import { subjectOf } from './subject.ts';

/** A user as it was read together with its devices. */
export interface UserWithDevices {
  user: UserRow;
  devices: readonly DeviceRow[];
}

const maxRetries = 20;

/**
 * The user after that, or as it was where it needs no zone or the name is not one. Of two who name
 * a zone at once one fills it; a caller's change always stands.
 */
export async function fillTimeZone(
  deps: Deps,
  read: UserWithDevices,
  name: string | null | undefined,
): Promise<UserRow> {
  const zone = TimeZone.safeParse(name).data;
  return optimisticRetry({ what: 'a user', retries: maxRetries }, async (conflicts) => {
    const found = conflicts === 0 ? read : await subjectOf(deps, read.user.id);
    if (!found || !needsZone(found.user) || zone === undefined) return found?.user ?? read.user;
    const filled = await tryToFill(deps, found, zone);
    if (!filled) throw new TransactionRefused([]);
    if (filled.isRebuilding) await wake(deps, 'ingest', { user_id: read.user.id });
    return filled.user;
  });
}

/** For whoever came for something else, which a zone that cannot be filled must not keep from them. */
export async function offerTimeZone(deps: Deps, read: UserWithDevices, name: string | null): Promise<void> {
  try {
    await fillTimeZone(deps, read, name);
  } catch (error) {
    deps.log('warn', 'a time zone could not be filled', { user_id: read.user.id, error: String(error) });
  }
}

/** Nothing is said of a person who shares nothing, or is being erased. */
export const needsZone = ({ status, timezone }: UserRow): boolean => status === 'active' && timezone === null;

/** Every day follows the new zone, as after a caller's change, unless there is none yet. Undefined when the user has changed since it was read. */
export async function tryToFill(
  deps: Deps,
  { user, devices }: UserWithDevices,
  zone: string,
): Promise<{ user: UserRow; isRebuilding: boolean } | undefined> {
  const { store, clock } = deps;
  const filling = userRows(store).fillingZone(user, zone);
  const isRebuilding = !isNew(user) || devices.some(({ receivedMs }) => receivedMs > 0);
  const isFilled = isRebuilding
    ? await conditionalCommit(store, [filling, rezoningRows(store).asking(user.id, newId(deps, 'ask'), clock.now())])
    : (await conditionalWrite(store.table, filling)).held;
  if (!isFilled) return undefined;
  const filled = {
    timezone: zone,
    timezoneSource: 'device',
    revision: user.revision + 1,
    work: user.work + 1,
  } as const;
  return { user: { ...user, ...filled }, isRebuilding };
}

/** Nothing was ever worked in. */
const isNew = ({ lastSyncMs, work }: UserRow): boolean => lastSyncMs === null && work === 0;
