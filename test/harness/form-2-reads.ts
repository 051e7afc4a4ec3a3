// Reads in Form 2, from query to response, without HTTP.

import { type DailyQuery, form2Daily } from '../../shared/reads/daily/form-2.ts';
import { readDaily } from '../../shared/reads/daily/read-daily.ts';
import type { SessionsQuery } from '../../shared/reads/sessions/requested-sessions.ts';
import { form2Sleep } from '../../shared/reads/sleep/form-2.ts';
import { readSleep } from '../../shared/reads/sleep/read-sleep.ts';
import { form2Timeseries, type TimeseriesQuery } from '../../shared/reads/timeseries/form-2.ts';
import { readTimeseries } from '../../shared/reads/timeseries/read-timeseries.ts';
import { form2Workout, form2Workouts, type WorkoutQuery } from '../../shared/reads/workouts/form-2.ts';
import { readWorkout, readWorkouts } from '../../shared/reads/workouts/read-workouts.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';

export const readForm2Daily = async (deps: Deps, caller: Caller, user: string, query: DailyQuery) =>
  form2Daily.render(await readDaily(deps, caller, user, form2Daily.parse(query)), query);

export const readForm2Timeseries = async (deps: Deps, caller: Caller, user: string, query: TimeseriesQuery) =>
  form2Timeseries.render(await readTimeseries(deps, caller, user, form2Timeseries.parse(query)), query);

export async function readForm2Sleep(deps: Deps, caller: Caller, user: string, query: SessionsQuery) {
  const page = await readSleep(deps, caller, user, form2Sleep.parse(query));
  return { ...form2Sleep.render(page, query), next: page.next };
}

export async function readForm2Workouts(deps: Deps, caller: Caller, user: string, query: SessionsQuery) {
  const page = await readWorkouts(deps, caller, user, form2Workouts.parse(query));
  return { ...form2Workouts.render(page, query), next: page.next };
}

export const readForm2Workout = async (
  deps: Deps,
  caller: Caller,
  user: string,
  workout: string,
  query: WorkoutQuery,
) => form2Workout.render(await readWorkout(deps, caller, user, workout), query);
