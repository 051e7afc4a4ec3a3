// Reads as Form 2 shows them: query to verb to answer, without the HTTP around it.

import { type DailyQuery, form2Daily } from '../../shared/reads/daily/form-2.ts';
import { readDaily } from '../../shared/reads/daily/read-daily.ts';
import type { SessionsQuery } from '../../shared/reads/sessions/asked-sessions.ts';
import { form2Sleep } from '../../shared/reads/sleep/form-2.ts';
import { readSleep } from '../../shared/reads/sleep/read-sleep.ts';
import { form2Timeseries, type TimeseriesQuery } from '../../shared/reads/timeseries/form-2.ts';
import { readTimeseries } from '../../shared/reads/timeseries/read-timeseries.ts';
import { form2Workout, form2Workouts, type WorkoutQuery } from '../../shared/reads/workouts/form-2.ts';
import { readWorkout, readWorkouts } from '../../shared/reads/workouts/read-workouts.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';

export const shownDaily = async (deps: Deps, caller: Caller, user: string, query: DailyQuery) =>
  form2Daily.present(await readDaily(deps, caller, user, form2Daily.asked(query)), query);

export const shownTimeseries = async (deps: Deps, caller: Caller, user: string, query: TimeseriesQuery) =>
  form2Timeseries.present(await readTimeseries(deps, caller, user, form2Timeseries.asked(query)), query);

export async function shownSleep(deps: Deps, caller: Caller, user: string, query: SessionsQuery) {
  const page = await readSleep(deps, caller, user, form2Sleep.asked(query));
  return { ...form2Sleep.present(page, query), next: page.next };
}

export async function shownWorkouts(deps: Deps, caller: Caller, user: string, query: SessionsQuery) {
  const page = await readWorkouts(deps, caller, user, form2Workouts.asked(query));
  return { ...form2Workouts.present(page, query), next: page.next };
}

export const shownWorkout = async (deps: Deps, caller: Caller, user: string, workout: string, query: WorkoutQuery) =>
  form2Workout.present(await readWorkout(deps, caller, user, workout), query);
