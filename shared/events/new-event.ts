// Builds the event for a change. It is one of the writes of the change, in the commit's single
// outbox row.
import type { Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { makeId } from '../system/ids.ts';
import type { DataEventType, EventType, NewEvent } from './event.ts';
import { outboxRows, type UploadCounts } from './outbox-rows.ts';
import type { UnannouncedChanges } from './unannounced-changes.ts';

/** The fields of a user that an event needs. */
interface EventUser {
  id: string;
  account: string;
  env: Environment;
  status: string;
}

type EventFields = Pick<NewEvent, 'deviceId' | 'metrics' | 'more'>;

/** An event about one of the account's users. For events about a user's data, use `dataEvent`. */
export const userEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: Exclude<EventType, DataEventType>,
  user: { id: string; account: string; env: Environment },
  fields: EventFields = {},
): Write => buildEventWrite(deps, { ...fields, type, account: user.account, env: user.env, userId: user.id });

/**
 * An event about data from a user's devices; none while the user does not share data. Commit it
 * with a write that fails if the user's status is not the one that was read (`userRows.passing`),
 * so that there is no event about a user who has just stopped sharing. `counts` are the uploads
 * that the commit ingested.
 */
export const dataEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: DataEventType,
  { id: userId, account, env, status }: EventUser,
  fields: EventFields,
  counts?: UploadCounts,
): Write[] => (status === 'unshared' ? [] : [buildEventWrite(deps, { ...fields, type, account, env, userId }, counts)]);

/** An event that existing days have changed. */
export const subjectSyncedEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  user: EventUser,
  { metrics, from, to }: UnannouncedChanges,
): Write[] => dataEvent(deps, 'subject.synced', user, { metrics, more: { from_date: from, to_date: to } });

/** An event about a resource of the account, such as an endpoint. */
export const accountEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: EventType,
  { account, env }: { account: string; env: Environment },
  more: NewEvent['more'],
): Write => buildEventWrite(deps, { type, account, env, ...(more ? { more } : {}) });

/**
 * An event about a user is stored with the user until it is numbered, except for the last one,
 * `user.deleted`.
 */
function buildEventWrite(
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  fields: Omit<NewEvent, 'id' | 'atMs'>,
  counts?: UploadCounts,
): Write {
  const atMs = deps.clock.now();
  const owner = fields.type === 'user.deleted' ? undefined : fields.userId;
  const id = makeId('event', atMs, deps.random.bytes(10));
  return outboxRows(deps.store).buildAppend(owner, { ...fields, id, atMs }, counts);
}
