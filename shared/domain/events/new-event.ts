// The event that goes out with a change: one row among the writes of the change.
import type { Write } from '../../engine/ports.ts';
import type { Environment } from '../../model/account.ts';
import type { EventType, NewEvent } from '../../model/event.ts';
import { makeId } from '../../model/ids.ts';
import type { Announced } from '../../store/announced.ts';
import { eventRows } from '../../store/events.ts';
import type { Deps } from '../deps.ts';

type About = Pick<NewEvent, 'deviceId' | 'metrics' | 'more'>;

/** About one of the account's users. */
export const userEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: EventType,
  user: { id: string; account: string; env: Environment },
  about: About = {},
): Write => event(deps, { ...about, type, account: user.account, env: user.env, userId: user.id });

/** Days that were there before read otherwise now. */
export const subjectSynced = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  user: { id: string; account: string; env: Environment },
  { metrics, from, to }: Announced,
): Write => userEvent(deps, 'subject.synced', user, { metrics, more: { from_date: from, to_date: to } });

/** About something of the account's own, such as an endpoint. */
export const accountEvent = (
  deps: Pick<Deps, 'store' | 'clock' | 'random'>,
  type: EventType,
  { account, env }: { account: string; env: Environment },
  more: NewEvent['more'],
): Write => event(deps, { type, account, env, ...(more ? { more } : {}) });

function event(deps: Pick<Deps, 'store' | 'clock' | 'random'>, told: Omit<NewEvent, 'id' | 'atMs'>): Write {
  const atMs = deps.clock.now();
  return eventRows(deps.store).inserting({ ...told, id: makeId('event', atMs, deps.random.bytes(10)), atMs });
}
