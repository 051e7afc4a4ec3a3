import { feedPlaceIn, feedPlaceText } from '../../../shared/events/feed-cursor.ts';
import { form2Events } from '../../../shared/events/present-feed.ts';
import { earliestPlace, type FeedPlace, PlaceExpired, readFeed } from '../../../shared/events/read-feed.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function eventsApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.listEvents, async (c) => {
    const { caller } = c.var;
    const query = c.req.valid('query');
    const asked = form2Events.asked(query);
    const { cursor, user_id } = query;
    const scope = {
      caller,
      route: routes.listEvents.route.operationId,
      query: { user_id, types: asked.types?.join() },
    };
    const sealed = (place: FeedPlace) => sealCursor(deps.keyring, scope, feedPlaceText(deps, place));
    const opened = openCursor(deps.keyring, scope, cursor);
    const after = opened === undefined ? undefined : feedPlaceIn(deps, opened);
    if (after === 'of another table') throw cursorExpired(sealed(await earliestPlace(deps, caller)));
    try {
      const page = await readFeed(deps, caller, { ...asked, after });
      // A poll that finds nothing new gets its own cursor back, and so the same entity tag.
      const isSame = opened === feedPlaceText(deps, page.place);
      const next = cursor !== undefined && isSame ? cursor : sealed(page.place);
      const { events, has_more } = form2Events.present(page, query);
      return c.json({ events, cursor: next, has_more }, 200);
    } catch (error) {
      throw error instanceof PlaceExpired ? cursorExpired(sealed(error.earliest)) : error;
    }
  });

  return api;
}

const cursorExpired = (earliest_cursor: string): Failure =>
  new Failure(
    'cursor_expired',
    'The events after this cursor are no longer kept: they are older than 90 days, or the data was restored from a backup. ' +
      'Continue from earliest_cursor.',
    { details: { earliest_cursor } },
  );

export const handler = onHttp(eventsApi);
