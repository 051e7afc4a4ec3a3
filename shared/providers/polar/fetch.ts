// Asks Polar for a stretch of days. Sleep and workouts come as one list of the last weeks; the rest is asked for by days.
import * as z from 'zod';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { dayOf } from '../kit/day-of.ts';
import { datesOfVendor, lastDateBegun } from '../kit/days-asked.ts';
import type { DayWindow, VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, type Talk, Unexpected, type VendorRequest } from '../kit/vendor.ts';
import { polar } from './descriptor.ts';
import { polarSpan } from './exercises.ts';
import { PolarExercise, PolarExerciseId } from './items.ts';
import { askedPhysical } from './physical.ts';

/** A list has no heart-rate traces: each workout is asked for. */
const mostDetails = 25;

const get = (path: string, query?: Readonly<Record<string, string>>): VendorRequest => ({
  method: 'GET',
  url: `${polar.apiUrl}${path}`,
  headers: { accept: 'application/json' },
  ...(query ? { query } : {}),
});

function* window(asked: Asked): Talk<VendorPage[]> {
  const last = lastDateBegun(asked.nowMs);
  const dates = datesOfVendor(asked, asked.zone);
  const days = { from: dates.from, to: dates.to < last ? dates.to : last };
  return [
    ...(yield* pageOf('activities', get('/users/activities', days))),
    ...(yield* pageOf('sleep', get('/users/sleep'))),
    ...(yield* pageOf('recharge', get('/users/nightly-recharge'))),
    ...(yield* pageOf('heart_rate', get('/users/continuous-heart-rate', days))),
    ...(yield* workouts(asked)),
    ...(yield* pageOf('spo2', get('/users/biosensing/spo2', days))),
    ...(yield* pageOf('body_temperature', get('/users/biosensing/bodytemperature', days))),
    ...(yield* pageOf('skin_temperature', get('/users/biosensing/skintemperature', days))),
    ...(yield* askedPhysical(asked)),
  ];
}

/** 204 and 404 say that there is none; what the person has not allowed is left out. */
function* pageOf(resource: string, request: VendorRequest, of?: string): Talk<VendorPage[]> {
  const reply = yield request;
  if (reply.status === 403) return [];
  if (!isOk(reply) && reply.status !== 404) throw new Unexpected(`Polar ${resource}`, reply);
  return [{ resource, text: isOk(reply) ? reply.text : '', ...(of === undefined ? {} : { of }) }];
}

function* workouts(asked: Asked): Talk<VendorPage[]> {
  const pages = yield* pageOf('exercises', get('/exercises'));
  const ids = pages
    .flatMap((page) => z.array(z.unknown()).safeParse(jsonIn(page)).data ?? [])
    .flatMap((item) => PolarExercise.safeParse(item).data ?? [])
    .filter((exercise) => isOn(daysOf(exercise, asked.zone), asked))
    .map(({ id }) => id);
  for (const id of [...new Set(ids)].slice(-mostDetails))
    pages.push(...(yield* pageOf('exercise', get(`/exercises/${id}`, { samples: 'true' }), id)));
  return pages;
}

/** A workout past midnight is on two of them. */
function daysOf(exercise: PolarExercise, zone: string | null): DayWindow {
  const { startMs, endMs } = polarSpan(exercise, zone);
  return { from: dayOf(startMs, zone), to: dayOf(endMs, zone) };
}

const isOn = ({ from, to }: DayWindow, asked: DayWindow): boolean => to >= asked.from && from <= asked.to;

export const polarFetch: FetchRules = {
  window,
  *locate({ resource, id }, { zone }) {
    if (resource !== 'exercise' || !PolarExerciseId.safeParse(id).success) return undefined;
    const reply = yield get(`/exercises/${id}`);
    if (reply.status === 404 || reply.status === 403 || reply.status === 204) return undefined;
    const exercise = isOk(reply) ? PolarExercise.safeParse(jsonIn(reply)).data : undefined;
    if (!exercise) throw new Unexpected('Polar exercise', reply);
    return daysOf(exercise, zone);
  },
};
