import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import { jsonAnswer } from '../../../shared/http/json-answer.ts';
import { form1Daily } from '../../../shared/presenters/form-1/daily.ts';
import { form1Sleep } from '../../../shared/presenters/form-1/sleep.ts';
import { form1Workouts } from '../../../shared/presenters/form-1/workouts.ts';
import { form2Daily } from '../../../shared/presenters/form-2/daily.ts';
import { form2Sleep } from '../../../shared/presenters/form-2/sleep.ts';
import { form2Timeseries } from '../../../shared/presenters/form-2/timeseries.ts';
import { form2Workout, form2Workouts } from '../../../shared/presenters/form-2/workouts.ts';
import { placeIn, placeText } from '../../../shared/presenters/place-text.ts';
import { readDaily } from '../../../shared/reads/daily.ts';
import type { PagePlace } from '../../../shared/reads/session-page.ts';
import { readNights, readSleep } from '../../../shared/reads/sleep.ts';
import { readTimeseries } from '../../../shared/reads/timeseries.ts';
import { readWorkout, readWorkouts, readWorkoutsAt } from '../../../shared/reads/workouts.ts';
import * as form1 from './form-1/routes.ts';
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
