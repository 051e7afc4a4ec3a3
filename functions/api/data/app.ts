import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, type Asked, newApi, reply } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import { dailyFace, sleepFace, timeseriesFace, workoutFace, workoutsFace } from '../../../shared/presenters/faces.ts';
import { placeIn, placeText } from '../../../shared/presenters/place-text.ts';
import { readDaily } from '../../../shared/reads/daily.ts';
import type { PagePlace } from '../../../shared/reads/session-page.ts';
import { readSleep } from '../../../shared/reads/sleep.ts';
import { readTimeseries } from '../../../shared/reads/timeseries.ts';
import { readWorkout, readWorkouts } from '../../../shared/reads/workouts.ts';
import * as routes from './routes.ts';

export function dataApi(deps: Deps): Api {
  const api = newApi(deps);
  const eager = { eager: true };

  api.serve(
    routes.getDaily,
    async ({ caller, params, query }) => {
      const face = dailyFace(caller);
      return reply(200, face.present(await readDaily(deps, caller, params.id, face.asked(query)), query));
    },
    eager,
  );

  api.serve(
    routes.listSleep,
    async (asked) => {
      const paging = pagingOf(deps, routes.listSleep.operationId, asked);
      const face = sleepFace(asked.caller);
      const page = await readSleep(deps, asked.caller, asked.params.id, face.asked(paging.query));
      return reply(200, { ...face.present(page, paging.query), next_cursor: paging.cursorAt(page.next) });
    },
    eager,
  );

  api.serve(
    routes.listWorkouts,
    async (asked) => {
      const paging = pagingOf(deps, routes.listWorkouts.operationId, asked);
      const face = workoutsFace(asked.caller);
      const page = await readWorkouts(deps, asked.caller, asked.params.id, face.asked(paging.query));
      return reply(200, { ...face.present(page, paging.query), next_cursor: paging.cursorAt(page.next) });
    },
    eager,
  );

  api.serve(
    routes.getWorkout,
    async ({ caller, params, query }) => {
      const found = await readWorkout(deps, caller, params.id, params.workout_id);
      return reply(200, workoutFace(caller).present(found, query));
    },
    eager,
  );

  api.serve(
    routes.getTimeseries,
    async ({ caller, params, query }) => {
      const face = timeseriesFace(caller);
      return reply(200, face.present(await readTimeseries(deps, caller, params.id, face.asked(query)), query));
    },
    eager,
  );

  return api;
}

/** A cursor belongs to the parameters as they were given; the days that the defaults stood for then are sealed inside it. */
function pagingOf(
  { keyring }: Deps,
  route: string,
  { caller, params, query }: Asked<typeof routes.listSleep> | Asked<typeof routes.listWorkouts>,
) {
  const { cursor, ...given } = query;
  const scope = { caller, route, user: params.id, query: given };
  const position = openCursor(keyring, scope, cursor);
  return {
    query: { ...query, place: position === undefined ? undefined : placeIn(position) },
    cursorAt: (place: PagePlace | undefined) =>
      place === undefined ? null : sealCursor(keyring, scope, placeText(place)),
  };
}
