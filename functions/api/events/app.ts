import { decodeFeedCursor, encodeFeedCursor } from '../../../shared/events/feed-cursor.ts';
import { form2Events } from '../../../shared/events/present-feed.ts';
import {
  type FeedPosition,
  FeedPositionExpired,
  findEarliestPosition,
  readFeed,
} from '../../../shared/events/read-feed.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function eventsApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.listEvents, async (c) => {
    const { caller } = c.var;
    const query = c.req.valid('query');
    const parsedQuery = form2Events.parse(query);
    const { cursor, user_id } = query;
    const scope = {
      caller,
      route: routes.listEvents.route.operationId,
      query: { user_id, types: parsedQuery.types?.join() },
    };
    const sealPosition = (feedPosition: FeedPosition) =>
      sealCursor(deps.keyring, scope, encodeFeedCursor(deps, feedPosition));
    const openedCursor = openCursor(deps.keyring, scope, cursor);
    const after = openedCursor === undefined ? undefined : decodeFeedCursor(deps, openedCursor);
    if (after === 'of another table') throw cursorExpired(sealPosition(await findEarliestPosition(deps, caller)));
    try {
      const page = await readFeed(deps, caller, { ...parsedQuery, after });
      // A poll that finds nothing new returns the same cursor, and therefore the same ETag.
      const isUnchanged = openedCursor === encodeFeedCursor(deps, page.position);
      const next = cursor !== undefined && isUnchanged ? cursor : sealPosition(page.position);
      const { events, has_more } = form2Events.render(page, query);
      return c.json({ events, cursor: next, has_more }, 200);
    } catch (error) {
      throw error instanceof FeedPositionExpired ? cursorExpired(sealPosition(error.earliest)) : error;
    }
  });

  return api;
}

const cursorExpired = (earliest_cursor: string): Failure =>
  new Failure(
    'cursor_expired',
    'The events after this cursor are no longer available: they are older than 90 days, or the data was restored from a backup. ' +
      'Continue from earliest_cursor.',
    { details: { earliest_cursor } },
  );

export const handler = onHttp(eventsApi);
