// The events of one life, read from where the last reading ended.
import type { RebuildEvent } from './expected-rebuild.ts';
import type { Living } from './living.ts';

/** The rebuilds that the feed tells of since the last call. */
export async function newRebuilds(living: Living): Promise<RebuildEvent[]> {
  const { system, key, userId } = living;
  const found: RebuildEvent[] = [];
  for (;;) {
    const after = living.feedCursor === null ? '' : `&cursor=${encodeURIComponent(living.feedCursor)}`;
    const path = `/v1/events?user_id=${userId}&types=subject.synced&limit=1000${after}`;
    const told = await system.call('GET', path, { token: key });
    if (told.status !== 200) throw new Error(`GET ${path} was answered with ${told.status} ${told.text}`);
    found.push(...told.body.events);
    living.feedCursor = told.body.cursor;
    if (!told.body.has_more) return found;
  }
}
