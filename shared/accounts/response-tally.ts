// Counts the requests of a key on the write that admits them. Responses that failed or were refused
// have no write of their own: this process remembers them until it next admits the key.
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Item } from '../platform/ports.ts';
import type { ApiKeyCounts } from './api-key-writes.ts';

type Noted = Omit<ApiKeyCounts, 'requests'>;

const tooManyRequests = 429;
const unauthorized = 401;

/** Undefined for what is not counted. A key that is not accepted has no row that could be written. */
function findCounter(status: number): keyof Noted | undefined {
  if (status === tooManyRequests) return 'limited';
  if (status < 400 || status === unauthorized) return undefined;
  return status < 500 ? 'clientErrors' : 'serverErrors';
}

export interface TakenCounts {
  /** The assignments of an update, and their values. */
  set: string;
  values: Item;
  /** The update was not applied. */
  putBack(): void;
}

export function createResponseTally(maxKeys: number) {
  const notedByKey = new BoundedCache<string, Noted>(maxKeys);
  const add = (hash: string, more: Partial<Noted>): void => {
    const noted = notedByKey.get(hash) ?? { clientErrors: 0, serverErrors: 0, limited: 0 };
    notedByKey.set(hash, {
      clientErrors: noted.clientErrors + (more.clientErrors ?? 0),
      serverErrors: noted.serverErrors + (more.serverErrors ?? 0),
      limited: noted.limited + (more.limited ?? 0),
    });
  };

  return {
    note(hash: string, status: number): void {
      const counter = findCounter(status);
      if (counter) add(hash, { [counter]: 1 });
    },
    /** Takes what was noted, so that no other request of this process writes it too. */
    take(hash: string): TakenCounts {
      const noted = notedByKey.get(hash);
      notedByKey.delete(hash);
      const counts = Object.entries({ requests: 1, ...noted }).filter(([, count]) => count > 0);
      return {
        set: counts.map(([name]) => `#${name} = if_not_exists(#${name}, :zero) + :${name}`).join(', '),
        values: { zero: 0, ...Object.fromEntries(counts) },
        putBack: () => noted && add(hash, noted),
      };
    },
  };
}
