// Which face of a read a caller is shown: that of the account's form of the contract, or Form 2's where that form has none of its own.
import type { Caller } from '../model/account.ts';
import { form1ScoreHistory, form1Scores } from './form-1/scores.ts';
import { form2Daily } from './form-2/daily.ts';
import { form2Events } from './form-2/events.ts';
import { form2ScoreHistory, form2Scores } from './form-2/scores.ts';
import { form2Sleep } from './form-2/sleep.ts';
import { form2Timeseries } from './form-2/timeseries.ts';
import { form2Workout, form2Workouts } from './form-2/workouts.ts';

const shownTo = <Face2, Face1 = Face2>({ form }: Caller, faces: { 2: Face2; 1?: Face1 }): Face1 | Face2 =>
  faces[form] ?? faces[2];

export const dailyFace = (caller: Caller) => shownTo(caller, { 2: form2Daily });
export const timeseriesFace = (caller: Caller) => shownTo(caller, { 2: form2Timeseries });
export const sleepFace = (caller: Caller) => shownTo(caller, { 2: form2Sleep });
export const workoutsFace = (caller: Caller) => shownTo(caller, { 2: form2Workouts });
export const workoutFace = (caller: Caller) => shownTo(caller, { 2: form2Workout });
export const scoresFace = (caller: Caller) => shownTo(caller, { 2: form2Scores, 1: form1Scores });
export const eventsFace = (caller: Caller) => shownTo(caller, { 2: form2Events });
export const scoreHistoryFace = (caller: Caller) => shownTo(caller, { 2: form2ScoreHistory, 1: form1ScoreHistory });
