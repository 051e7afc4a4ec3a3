// The event that goes out with a change: among the writes of the change, in the one outbox row of the commit.
import type { Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { makeId } from '../system/ids.ts';
import type { DataEventType, EventType, NewEvent } from './event.ts';
import { outboxRows } from './outbox-rows.ts';
import type { UnannouncedChanges } from './unannounced-changes.ts';

/** What an event has to know of the user it is about. */
interface EventUser {
  id: string;
  account: string;
  env: Environment;
  status: string;
}

type EventFields = Pick<NewEvent, 'deviceId' | 'metrics' | 'more'>;

/** About one of the account's users; what comes from their data is a `dataEvent`. */
export const userEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: Exclude<EventType, DataEventType>,
  user: { id: string; account: string; env: Environment },
  fields: EventFields = {},
): Write => buildEventWrite(deps, { ...fields, type, account: user.account, env: user.env, userId: user.id });

/**
 * About what a person's devices brought; none while the person shares nothing. It goes out with a
 * write that is refused when the user's status is not the one that was read (`userRows.passing`),
 * so there is no event about a person who just stopped sharing.
 */
export const dataEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: DataEventType,
  { id: userId, account, env, status }: EventUser,
  fields: EventFields,
): Write[] => (status === 'unshared' ? [] : [buildEventWrite(deps, { ...fields, type, account, env, userId })]);

/** Days that were there before have changed. */
export const subjectSyncedEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  user: EventUser,
  { metrics, from, to }: UnannouncedChanges,
): Write[] => dataEvent(deps, 'subject.synced', user, { metrics, more: { from_date: from, to_date: to } });

/** About something of the account's own, such as an endpoint. */
export const accountEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: EventType,
  { account, env }: { account: string; env: Environment },
  more: NewEvent['more'],
): Write => buildEventWrite(deps, { type, account, env, ...(more ? { more } : {}) });

/** One about a person stands with them until it is numbered, but for the last, which tells that they are gone. */
function buildEventWrite(deps: Pick<Deps, 'store' | 'clock' | 'random'>, fields: Omit<NewEvent, 'id' | 'atMs'>): Write {
  const atMs = deps.clock.now();
  const owner = fields.type === 'user.deleted' ? undefined : fields.userId;
  const id = makeId('event', atMs, deps.random.bytes(10));
  return outboxRows(deps.store).buildAppend(owner, { ...fields, id, atMs });
}
