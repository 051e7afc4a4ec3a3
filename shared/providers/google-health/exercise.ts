// Google Health's workouts, with the beats that were asked for beside them. Minutes of exercise are in the daily totals already.
import * as z from 'zod';
import type { HeartRatePoint } from '../../measurements/records.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import { tracePage } from './data-types.ts';
import { distancesDuring } from './exercise-distance.ts';
import {
  GoogleInstant,
  GoogleInterval,
  GoogleNumber,
  GoogleSampleTime,
  GoogleSeconds,
  googlePoints,
  googleValues,
  latestPoints,
  offsetOf,
} from './points.ts';
import { googleWorkoutType } from './workout-types.ts';

const Exercise = z.looseObject({
  interval: GoogleInterval,
  exerciseType: z.string().nullish().catch(null),
  displayName: z.string().nullish().catch(null),
  metricsSummary: z
    .looseObject({
      caloriesKcal: GoogleNumber,
      distanceMillimeters: GoogleNumber,
      steps: GoogleNumber,
      averageHeartRateBeatsPerMinute: GoogleNumber,
      elevationGainMillimeters: GoogleNumber,
    })
    .nullish()
    .catch(null),
  exerciseMetadata: z.looseObject({ poolLengthMillimeters: GoogleNumber }).nullish().catch(null),
  activeDuration: GoogleSeconds,
  updateTime: GoogleInstant.nullish().catch(null),
});

const Beat = z.looseObject({ sampleTime: GoogleSampleTime, beatsPerMinute: z.unknown() });

function tracesOf(gathering: Gathering, pages: readonly VendorPage[]): Map<string, HeartRatePoint[]> {
  const traces = new Map<string, HeartRatePoint[]>();
  for (const { of, value } of googleValues(gathering, pages, {
    resource: tracePage,
    type: 'heart-rate',
    schema: Beat,
  })) {
    const bpm = GoogleNumber.parse(value.beatsPerMinute);
    if (of === undefined || typeof bpm !== 'number') continue;
    const trace = traces.get(of) ?? [];
    trace.push({ atMs: value.sampleTime.physicalTime, bpm });
    traces.set(of, trace);
  }
  return traces;
}

export function gatherGoogleExercise(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const traces = tracesOf(gathering, pages);
  const distanceDuring = distancesDuring(gathering, pages);
  const asked = new Set(googlePoints(pages, tracePage).map(({ of }) => of));
  const points = latestPoints(googleValues(gathering, pages, { resource: 'exercise', schema: Exercise }));
  for (const { path, id, value } of points) {
    const { startTime: startMs, endTime: endMs, startUtcOffset } = value.interval;
    const offsetMinutes = offsetOf(startUtcOffset);
    if (!days.holdsInstant(startMs)) continue;
    const { caloriesKcal, distanceMillimeters, steps, averageHeartRateBeatsPerMinute, elevationGainMillimeters } =
      value.metricsSummary ?? {};
    const poolMillimetres = value.exerciseMetadata?.poolLengthMillimeters;
    const type = googleWorkoutType(value.exerciseType);
    const during = { id, startMs, endMs, activeSeconds: value.activeDuration };
    const millimetres = distanceMillimeters || distanceDuring(during);
    const metres = millimetres === null ? null : millimetres / 1000;
    const heartRate = id === undefined ? undefined : traces.get(id);
    gathering.workout(path, {
      type,
      sourceType: value.exerciseType,
      name: value.displayName ?? null,
      startMs,
      endMs,
      offsetMinutes,
      calories: caloriesKcal ?? null,
      distanceKm: metres === null ? null : metres / 1000,
      avgHeartRate: averageHeartRateBeatsPerMinute ?? null,
      maxHeartRate: heartRate ? heartRate.reduce((most, { bpm }) => Math.max(most, bpm), 0) : null,
      elevationMeters: typeof elevationGainMillimeters === 'number' ? elevationGainMillimeters / 1000 : null,
      steps: steps ?? null,
      swimmingLapLengthM: poolMillimetres ? poolMillimetres / 1000 : null,
      heartRate: heartRate ?? null,
      ...(id === undefined ? {} : { sourceId: id }),
      // The beats of only so many workouts are asked for: those that were read before stay.
      ...(asked.has(id) ? {} : { outline: true }),
    });
    addWorkoutToDay(gathering, path, { type, startMs, endMs, offsetMinutes }, { metres });
  }
}
