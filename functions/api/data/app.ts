import { type Api, createApi } from '../../../shared/http/api.ts';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import { respondWithJson } from '../../../shared/http/respond-with-json.ts';
import { form1Daily } from '../../../shared/reads/daily/form-1.ts';
import { form2Daily } from '../../../shared/reads/daily/form-2.ts';
import { readDaily } from '../../../shared/reads/daily/read-daily.ts';
import {
  type PagePosition,
  parsePagePosition,
  serializePagePosition,
} from '../../../shared/reads/sessions/session-page.ts';
import { form1Sleep } from '../../../shared/reads/sleep/form-1.ts';
import { form2Sleep, form2SleepSession } from '../../../shared/reads/sleep/form-2.ts';
import { maxNightSamples } from '../../../shared/reads/sleep/form-2-schema.ts';
import { readNights, readSleep } from '../../../shared/reads/sleep/read-sleep.ts';
import { readSleepSession } from '../../../shared/reads/sleep/read-sleep-session.ts';
import { form2Timeseries } from '../../../shared/reads/timeseries/form-2.ts';
import { readTimeseries } from '../../../shared/reads/timeseries/read-timeseries.ts';
import { form1Workouts } from '../../../shared/reads/workouts/form-1.ts';
import { form2Workout, form2Workouts } from '../../../shared/reads/workouts/form-2.ts';
import { readWorkout, readWorkouts, readWorkoutsAtOffset } from '../../../shared/reads/workouts/read-workouts.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as form1 from './form-1-routes.ts';
import * as routes from './routes.ts';

export function dataApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.getDaily, async (c) => {
    const query = c.req.valid('query');
    const days = await readDaily(deps, c.var.caller, c.req.valid('param').id, form2Daily.parse(query));
    return respondWithJson(c, form2Daily.render(days, query), 200);
  });

  api.openapi(routes.listSleep, async (c) => {
    const { caller } = c.var;
    const { id: user } = c.req.valid('param');
    const paging = createPaging(
      deps,
      { caller, route: routes.listSleep.route.operationId, user },
      c.req.valid('query'),
    );
    const page = await readSleep(deps, caller, user, form2Sleep.parse(paging.query));
    return c.json({ ...form2Sleep.render(page, paging.query), next_cursor: paging.cursorAt(page.next) }, 200);
  });

  api.openapi(routes.getSleep, async (c) => {
    const { id, sleep_id } = c.req.valid('param');
    const session = await readSleepSession(deps, c.var.caller, id, sleep_id, { maxSamples: maxNightSamples });
    return respondWithJson(c, form2SleepSession.render(session, c.req.valid('query')), 200);
  });

  api.openapi(routes.listWorkouts, async (c) => {
    const { caller } = c.var;
    const { id: user } = c.req.valid('param');
    const paging = createPaging(
      deps,
      { caller, route: routes.listWorkouts.route.operationId, user },
      c.req.valid('query'),
    );
    const page = await readWorkouts(deps, caller, user, form2Workouts.parse(paging.query));
    return c.json({ ...form2Workouts.render(page, paging.query), next_cursor: paging.cursorAt(page.next) }, 200);
  });

  api.openapi(routes.getWorkout, async (c) => {
    const { id, workout_id } = c.req.valid('param');
    const workout = await readWorkout(deps, c.var.caller, id, workout_id);
    return c.json(form2Workout.render(workout, c.req.valid('query')), 200);
  });

  api.openapi(routes.getTimeseries, async (c) => {
    const query = c.req.valid('query');
    const samples = await readTimeseries(deps, c.var.caller, c.req.valid('param').id, form2Timeseries.parse(query));
    return respondWithJson(c, form2Timeseries.render(samples, query), 200);
  });

  api.openapi(form1.getDaily, async (c) => {
    const query = c.req.valid('query');
    const days = await readDaily(deps, c.var.caller, c.req.valid('param').user_id, form1Daily.parse(query));
    return respondWithJson(c, form1Daily.render(days, query), 200);
  });

  api.openapi(form1.listSleep, async (c) => {
    const query = c.req.valid('query');
    const sleep = await readNights(deps, c.var.caller, c.req.valid('param').user_id, form1Sleep.parse(query));
    return c.json(form1Sleep.render(sleep, query), 200);
  });

  api.openapi(form1.listWorkouts, async (c) => {
    const query = c.req.valid('query');
    const page = await readWorkoutsAtOffset(
      deps,
      c.var.caller,
      c.req.valid('param').user_id,
      form1Workouts.parse(query),
    );
    return c.json(form1Workouts.render(page, query), 200);
  });

  return api;
}

/**
 * A cursor is bound to the query parameters as they were sent. The dates that the defaults resolved
 * to are sealed inside it.
 */
function createPaging<Query extends CursorScope['query'] & { cursor?: string | undefined }>(
  { keyring }: Deps,
  scopeBase: Omit<CursorScope, 'query'>,
  query: Query,
) {
  const { cursor, ...filters } = query;
  const scope = { ...scopeBase, query: filters };
  const position = openCursor(keyring, scope, cursor);
  return {
    query: { ...query, position: position === undefined ? undefined : parsePagePosition(position) },
    cursorAt: (pagePosition: PagePosition | undefined) =>
      pagePosition === undefined ? null : sealCursor(keyring, scope, serializePagePosition(pagePosition)),
  };
}

export const handler = onHttp(dataApi);
