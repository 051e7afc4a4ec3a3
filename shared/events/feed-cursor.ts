// A place in the feed as text, with the epoch of the table it was read from. A table that was restored from a backup may
// give numbers out once more: a cursor of the one before is good for none of them.
import { createHash } from 'node:crypto';
import type { Deps } from '../system/deps.ts';
import type { FeedPlace } from './read-feed.ts';

const epochLength = 8;

const epochOf = ({ place }: Pick<Deps, 'place'>): string =>
  createHash('sha256')
    .update(place.tableEpoch ?? '')
    .digest('base64url')
    .slice(0, epochLength);

export const feedPlaceText = (deps: Pick<Deps, 'place'>, { first, seen }: FeedPlace): string =>
  `${epochOf(deps)}.${first}.${seen}`;

export function feedPlaceIn(deps: Pick<Deps, 'place'>, text: string): FeedPlace | 'of another table' {
  const [epoch, first, seen] = text.split('.');
  return epoch === epochOf(deps) ? { first: Number(first), seen: Number(seen) } : 'of another table';
}
