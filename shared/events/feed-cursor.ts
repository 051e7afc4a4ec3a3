// A position in the feed as text, with the epoch of the table it was read from. A table restored
// from a backup may assign the same numbers again, so a cursor of the earlier table is invalid
// there.
import { createHash } from 'node:crypto';
import type { Deps } from '../system/deps.ts';
import type { FeedPosition } from './read-feed.ts';

const epochLength = 8;

const hashTableEpoch = ({ deployment }: Pick<Deps, 'deployment'>): string =>
  createHash('sha256')
    .update(deployment.tableEpoch ?? '')
    .digest('base64url')
    .slice(0, epochLength);

export const encodeFeedCursor = (deps: Pick<Deps, 'deployment'>, { first, seen }: FeedPosition): string =>
  `${hashTableEpoch(deps)}.${first}.${seen}`;

export function decodeFeedCursor(deps: Pick<Deps, 'deployment'>, text: string): FeedPosition | 'of another table' {
  const [epoch, first, seen] = text.split('.');
  return epoch === hashTableEpoch(deps) ? { first: Number(first), seen: Number(seen) } : 'of another table';
}
