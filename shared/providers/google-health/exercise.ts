// Google Health's workouts, with the heart rate that was requested for them. Exercise minutes are
// in the daily totals already.
import * as z from 'zod';
import type { HeartRatePoint } from '../../measurements/records.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { exerciseHeartRatePageName } from './data-types.ts';
import { createDistanceLookup } from './exercise-distance.ts';
import {
  GoogleInstant,
  GoogleInterval,
  GoogleNumber,
  GoogleSampleTime,
  GoogleSeconds,
  googleOffsetMinutes,
  keepLatestPoints,
  readGooglePoints,
  readGoogleValues,
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

const HeartRateSample = z.looseObject({ sampleTime: GoogleSampleTime, beatsPerMinute: z.unknown() });

function readTraces(builder: RecordBuilder, pages: readonly ProviderPage[]): Map<string, HeartRatePoint[]> {
  const traces = new Map<string, HeartRatePoint[]>();
  for (const { parameter: workoutId, value } of readGoogleValues(builder, pages, {
    resource: exerciseHeartRatePageName,
    type: 'heart-rate',
    schema: HeartRateSample,
  })) {
    const bpm = GoogleNumber.parse(value.beatsPerMinute);
    if (workoutId === undefined || typeof bpm !== 'number') continue;
    const trace = traces.get(workoutId) ?? [];
    trace.push({ atMs: value.sampleTime.physicalTime, bpm });
    traces.set(workoutId, trace);
  }
  return traces;
}

export function addGoogleExercise(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const traces = readTraces(builder, pages);
  const findDistance = createDistanceLookup(builder, pages);
  const requested = new Set(
    readGooglePoints(pages, exerciseHeartRatePageName).map(({ parameter: workoutId }) => workoutId),
  );
  const points = keepLatestPoints(readGoogleValues(builder, pages, { resource: 'exercise', schema: Exercise }));
  for (const { path, id, value } of points) {
    const { startTime: startMs, endTime: endMs, startUtcOffset } = value.interval;
    const offsetMinutes = googleOffsetMinutes(startUtcOffset);
    if (!days.includesInstant(startMs)) continue;
    const { caloriesKcal, distanceMillimeters, steps, averageHeartRateBeatsPerMinute, elevationGainMillimeters } =
      value.metricsSummary ?? {};
    const poolMillimetres = value.exerciseMetadata?.poolLengthMillimeters;
    const type = googleWorkoutType(value.exerciseType);
    const span = { id, startMs, endMs, activeSeconds: value.activeDuration };
    const millimetres = distanceMillimeters || findDistance(span);
    const metres = millimetres === null ? null : millimetres / 1000;
    const heartRate = id === undefined ? undefined : traces.get(id);
    builder.addWorkout(path, {
      type,
      sourceType: value.exerciseType,
      name: value.displayName ?? null,
      startMs,
      endMs,
      offsetMinutes,
      calories: caloriesKcal ?? null,
      distanceKm: metres === null ? null : metres / 1000,
      avgHeartRate: averageHeartRateBeatsPerMinute ?? null,
      maxHeartRate: heartRate ? heartRate.reduce((max, { bpm }) => Math.max(max, bpm), 0) : null,
      elevationMeters: typeof elevationGainMillimeters === 'number' ? elevationGainMillimeters / 1000 : null,
      steps: steps ?? null,
      swimmingLapLengthM: poolMillimetres ? poolMillimetres / 1000 : null,
      heartRate: heartRate ?? null,
      ...(id === undefined ? {} : { sourceId: id }),
      // The heart rate is requested for a limited number of workouts; a trace that was read before
      // stays.
      ...(requested.has(id) ? {} : { outline: true }),
    });
    addWorkoutToDay(builder, path, { type, startMs, endMs, offsetMinutes }, { metres });
  }
}
