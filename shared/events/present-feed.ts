// Renders the event feed; its events have the same shape as on the bus and in webhooks.

import type { Presenter } from '../platform/presenter.ts';
import { Failure } from '../system/failure.ts';
import { EventType } from './event.ts';
import type { FeedEvent } from './feed-event.ts';
import { presentEvent } from './present-event.ts';
import type { FeedPage, FeedQuery } from './read-feed.ts';

export interface EventsQuery {
  limit: number;
  cursor?: string | undefined;
  since?: string | undefined;
  user_id?: string | undefined;
  types?: string | undefined;
}

export const form2Events: Presenter<
  EventsQuery,
  Omit<FeedQuery, 'after'>,
  FeedPage,
  { events: FeedEvent[]; has_more: boolean }
> = {
  parse({ limit, cursor, since, user_id, types }) {
    if (cursor !== undefined && since !== undefined)
      throw new Failure('invalid_request', 'Send either `cursor` or `since`: a cursor already says where to start.', {
        details: { issues: [{ path: 'since', message: 'not together with cursor' }] },
      });
    return {
      limit,
      sinceMs: since === undefined ? undefined : Date.parse(since),
      userId: user_id,
      types: parseEventTypes(types),
    };
  },
  render: ({ rows, more }) => ({ events: rows.map(presentEvent), has_more: more }),
};

/** Each type once, in a fixed order, so that a list in another order is the same query. */
function parseEventTypes(list: string | undefined): EventType[] | undefined {
  if (list === undefined) return undefined;
  const requested = list.split(',');
  const unsupported = requested.filter((type) => !EventType.safeParse(type).success);
  if (unsupported.length > 0)
    throw new Failure(
      'invalid_types',
      `types must be a comma-separated list of event types: ${EventType.options.join(', ')}.`,
      {
        details: { types: unsupported.map((type) => type.slice(0, 64)).slice(0, 20) },
      },
    );
  return EventType.options.filter((type) => requested.includes(type));
}
