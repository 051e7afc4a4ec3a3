// Fetches a range of days from Polar. Sleep and workouts come as one list of the last weeks;
// everything else is requested by day.
import * as z from 'zod';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import { localDayOfInstant } from '../kit/local-day-of-instant.ts';
import type { DayWindow, ProviderPage } from '../kit/provider-pages.ts';
import {
  isOk,
  type ProviderRequest,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { expandToProviderDates, latestDateWorldwide } from '../kit/requested-days.ts';
import { polar } from './descriptor.ts';
import { readPolarSpan } from './exercises.ts';
import { PolarExercise, PolarExerciseId } from './items.ts';
import { fetchPhysical } from './physical.ts';

/** The list has no heart rate traces, so each workout is requested. */
const maxDetails = 25;

const buildGet = (path: string, query?: Readonly<Record<string, string>>): ProviderRequest => ({
  method: 'GET',
  url: `${polar.apiUrl}${path}`,
  headers: { accept: 'application/json' },
  ...(query ? { query } : {}),
});

function* fetchWindow(requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const last = latestDateWorldwide(requested.nowMs);
  const dates = expandToProviderDates(requested, requested.zone);
  const days = { from: dates.from, to: dates.to < last ? dates.to : last };
  return [
    ...(yield* fetchPage('activities', buildGet('/users/activities', days))),
    ...(yield* fetchPage('sleep', buildGet('/users/sleep'))),
    ...(yield* fetchPage('recharge', buildGet('/users/nightly-recharge'))),
    ...(yield* fetchPage('heart_rate', buildGet('/users/continuous-heart-rate', days))),
    ...(yield* fetchWorkouts(requested)),
    ...(yield* fetchPage('spo2', buildGet('/users/biosensing/spo2', days))),
    ...(yield* fetchPage('body_temperature', buildGet('/users/biosensing/bodytemperature', days))),
    ...(yield* fetchPage('skin_temperature', buildGet('/users/biosensing/skintemperature', days))),
    ...(yield* fetchPhysical(requested)),
  ];
}

/** 204 and 404 mean that there is no data. Data that the user has not allowed is left out. */
function* fetchPage(resource: string, request: ProviderRequest, parameter?: string): RequestFlow<ProviderPage[]> {
  const response = yield request;
  if (response.status === 403) return [];
  if (!isOk(response) && response.status !== 404) throw new UnexpectedResponse(`Polar ${resource}`, response);
  return [{ resource, text: isOk(response) ? response.text : '', ...(parameter === undefined ? {} : { parameter }) }];
}

function* fetchWorkouts(requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const pages = yield* fetchPage('exercises', buildGet('/exercises'));
  const ids = pages
    .flatMap((page) => z.array(z.unknown()).safeParse(parseResponseJson(page)).data ?? [])
    .flatMap((item) => PolarExercise.safeParse(item).data ?? [])
    .filter((exercise) => overlaps(daysOfExercise(exercise, requested.zone), requested))
    .map(({ id }) => id);
  for (const id of [...new Set(ids)].slice(-maxDetails))
    pages.push(...(yield* fetchPage('exercise', buildGet(`/exercises/${id}`, { samples: 'true' }), id)));
  return pages;
}

/** A workout past midnight is on two days. */
function daysOfExercise(exercise: PolarExercise, zone: string | null): DayWindow {
  const { startMs, endMs } = readPolarSpan(exercise, zone);
  return { from: localDayOfInstant(startMs, zone), to: localDayOfInstant(endMs, zone) };
}

const overlaps = ({ from, to }: DayWindow, requested: DayWindow): boolean =>
  to >= requested.from && from <= requested.to;

export const polarFetch: FetchAdapter = {
  fetchWindow,
  *locate({ resource, id }, { zone }) {
    if (resource !== 'exercise' || !PolarExerciseId.safeParse(id).success) return undefined;
    const response = yield buildGet(`/exercises/${id}`);
    if (response.status === 404 || response.status === 403 || response.status === 204) return undefined;
    const exercise = isOk(response) ? PolarExercise.safeParse(parseResponseJson(response)).data : undefined;
    if (!exercise) throw new UnexpectedResponse('Polar exercise', response);
    return daysOfExercise(exercise, zone);
  },
};
