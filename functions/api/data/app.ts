import { type Api, newApi } from '../../../shared/http/api.ts';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import { jsonAnswer } from '../../../shared/http/json-answer.ts';
import { form1Daily } from '../../../shared/reads/daily/form-1.ts';
import { form2Daily } from '../../../shared/reads/daily/form-2.ts';
import { readDaily } from '../../../shared/reads/daily/read-daily.ts';
import { placeIn, placeText } from '../../../shared/reads/sessions/place-text.ts';
import type { PagePlace } from '../../../shared/reads/sessions/session-page.ts';
import { form1Sleep } from '../../../shared/reads/sleep/form-1.ts';
import { form2Sleep } from '../../../shared/reads/sleep/form-2.ts';
import { readNights, readSleep } from '../../../shared/reads/sleep/read-sleep.ts';
import { form2Timeseries } from '../../../shared/reads/timeseries/form-2.ts';
import { readTimeseries } from '../../../shared/reads/timeseries/read-timeseries.ts';
import { form1Workouts } from '../../../shared/reads/workouts/form-1.ts';
import { form2Workout, form2Workouts } from '../../../shared/reads/workouts/form-2.ts';
import { readWorkout, readWorkouts, readWorkoutsAt } from '../../../shared/reads/workouts/read-workouts.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as form1 from './form-1-routes.ts';
import * as routes from './routes.ts';

export function dataApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.getDaily, async (c) => {
    const query = c.req.valid('query');
    const days = await readDaily(deps, c.var.caller, c.req.valid('param').id, form2Daily.asked(query));
    return jsonAnswer(c, form2Daily.present(days, query), 200);
  });

  api.openapi(routes.listSleep, async (c) => {
    const { caller } = c.var;
    const { id: user } = c.req.valid('param');
    const paging = pagingOf(deps, { caller, route: routes.listSleep.route.operationId, user }, c.req.valid('query'));
    const page = await readSleep(deps, caller, user, form2Sleep.asked(paging.query));
    return c.json({ ...form2Sleep.present(page, paging.query), next_cursor: paging.cursorAt(page.next) }, 200);
  });

  api.openapi(routes.listWorkouts, async (c) => {
    const { caller } = c.var;
    const { id: user } = c.req.valid('param');
    const paging = pagingOf(deps, { caller, route: routes.listWorkouts.route.operationId, user }, c.req.valid('query'));
    const page = await readWorkouts(deps, caller, user, form2Workouts.asked(paging.query));
    return c.json({ ...form2Workouts.present(page, paging.query), next_cursor: paging.cursorAt(page.next) }, 200);
  });

  api.openapi(routes.getWorkout, async (c) => {
    const { id, workout_id } = c.req.valid('param');
    const found = await readWorkout(deps, c.var.caller, id, workout_id);
    return c.json(form2Workout.present(found, c.req.valid('query')), 200);
  });

  api.openapi(routes.getTimeseries, async (c) => {
    const query = c.req.valid('query');
    const samples = await readTimeseries(deps, c.var.caller, c.req.valid('param').id, form2Timeseries.asked(query));
    return jsonAnswer(c, form2Timeseries.present(samples, query), 200);
  });

  api.openapi(form1.getDaily, async (c) => {
    const query = c.req.valid('query');
    const days = await readDaily(deps, c.var.caller, c.req.valid('param').user_id, form1Daily.asked(query));
    return jsonAnswer(c, form1Daily.present(days, query), 200);
  });

  api.openapi(form1.listSleep, async (c) => {
    const query = c.req.valid('query');
    const sleep = await readNights(deps, c.var.caller, c.req.valid('param').user_id, form1Sleep.asked(query));
    return c.json(form1Sleep.present(sleep, query), 200);
  });

  api.openapi(form1.listWorkouts, async (c) => {
    const query = c.req.valid('query');
    const page = await readWorkoutsAt(deps, c.var.caller, c.req.valid('param').user_id, form1Workouts.asked(query));
    return c.json(form1Workouts.present(page, query), 200);
  });

  return api;
}

/** A cursor belongs to the parameters as they were given; the days that the defaults stood for then are sealed inside it. */
function pagingOf<Query extends CursorScope['query'] & { cursor?: string | undefined }>(
  { keyring }: Deps,
  where: Omit<CursorScope, 'query'>,
  query: Query,
) {
  const { cursor, ...given } = query;
  const scope = { ...where, query: given };
  const position = openCursor(keyring, scope, cursor);
  return {
    query: { ...query, place: position === undefined ? undefined : placeIn(position) },
    cursorAt: (place: PagePlace | undefined) =>
      place === undefined ? null : sealCursor(keyring, scope, placeText(place)),
  };
}

export const handler = onHttp(dataApi);
