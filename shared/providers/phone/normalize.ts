import type { Normalizer } from '../kit/normalizer.ts';
import { readUpload } from './read-upload.ts';
import { lookUpUploadedWorkoutType } from './workout-types.ts';

export const normalizeUpload: Normalizer = (raw, { scopes, receivedMs }) => {
  const body: unknown = JSON.parse(Buffer.from(raw).toString());
  const { records, rejected } = readUpload(body, { scopes, nowMs: receivedMs });
  const workouts = records.workouts.map((workout) => ({
    ...workout,
    type: lookUpUploadedWorkoutType(workout.sourceType ?? ''),
  }));
  return { records: { ...records, workouts }, rejected };
};
