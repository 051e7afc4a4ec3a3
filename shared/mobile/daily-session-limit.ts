// Rejects nights and workouts beyond what a device can have on one day, and reports them as
// rejected.

import { countPackedStages } from '../measurements/codec/sleep-stages.ts';
import type { SleepRecord, WorkoutRecord } from '../measurements/records.ts';
import { type SessionDay, sessionRows } from '../measurements/rows/session-rows.ts';
import { sumOf } from '../platform/arithmetic.ts';
import { localDate } from '../platform/time/local-day.ts';
import { uploadLimits } from '../providers/kit/upload-limits.ts';
import type { ReadUpload } from '../providers/phone/read-upload.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { dayRuleOf } from '../users/user-context.ts';
import type { UserRow } from '../users/user-rows.ts';

type Kind = 'sleep' | 'workouts';
interface StoredSession {
  device: number;
  startMs: number;
  stages?: string | undefined;
}
interface IncomingSession {
  startMs: number;
  date: string;
  stageCount: number;
}

/** Returns the upload without the sessions over the limit. */
export async function rejectOverDailyLimit(
  { store }: Deps,
  { user, device }: { user: UserRow; device: DeviceRow },
  read: ReadUpload,
): Promise<ReadUpload> {
  const rule = dayRuleOf(user);
  const { sleep, workouts } = read.records;
  const incomingSleep = sleep.map((night) => ({
    startMs: night.startMs,
    date: localDate(night.endMs, rule, night),
    stageCount: night.stages?.length ?? 0,
  }));
  const incomingWorkouts = workouts.map((workout) => ({
    startMs: workout.startMs,
    date: localDate(workout.startMs, rule, workout),
    stageCount: 0,
  }));
  const overLimitSleep = await findOverLimit(sessionRows(store).sleep, user.id, device.ordinal, incomingSleep);
  const overLimitWorkouts = await findOverLimit(sessionRows(store).workouts, user.id, device.ordinal, incomingWorkouts);
  return rejectSessions(rejectSessions(read, 'sleep', overLimitSleep), 'workouts', overLimitWorkouts);
}

async function findOverLimit(
  days: { readDates(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<StoredSession>>> },
  userId: string,
  device: number,
  sessions: readonly IncomingSession[],
): Promise<Set<number>> {
  const overLimit = new Set<number>();
  if (sessions.length === 0) return overLimit;
  const stored = await days.readDates(userId, [...new Set(sessions.map(({ date }) => date))]);
  const stageCountsOn = new Map(
    Array.from(stored, ([date, day]) => [
      date,
      new Map(
        day.sessions
          .filter((row) => row.device === device)
          .map(({ startMs, stages = '' }) => [startMs, countPackedStages(stages)]),
      ),
    ]),
  );
  for (const [index, { date, startMs, stageCount }] of sessions.entries()) {
    const stageCounts = stageCountsOn.get(date) ?? new Map<number, number>();
    stageCountsOn.set(date, stageCounts);
    const isFull = !stageCounts.has(startMs) && stageCounts.size >= uploadLimits.sessionsPerDay;
    const otherStages = sumOf(stageCounts.values()) - (stageCounts.get(startMs) ?? 0);
    if (isFull || otherStages + stageCount > uploadLimits.sleepStagesPerDay) overLimit.add(index);
    else stageCounts.set(startMs, stageCount);
  }
  return overLimit;
}

function rejectSessions(read: ReadUpload, kind: Kind, overLimit: ReadonlySet<number>): ReadUpload {
  if (overLimit.size === 0) return read;
  const { sessionsPerDay, sleepStagesPerDay } = uploadLimits;
  const limit =
    kind === 'sleep' ? `${sessionsPerDay} nights and ${sleepStagesPerDay} stages` : `${sessionsPerDay} workouts`;
  const message = `A device can have at most ${limit} per day.`;
  for (const index of overLimit)
    read.rejected.add(`${kind}.${read.acceptedIndexes[kind][index]}`, { code: 'limit_exceeded', message }, kind);
  const keepWithinLimit = <T>(list: readonly T[]): T[] => list.filter((_each, index) => !overLimit.has(index));
  return {
    ...read,
    records: { ...read.records, [kind]: keepWithinLimit<SleepRecord | WorkoutRecord>(read.records[kind]) },
    accepted: read.accepted - overLimit.size,
    acceptedBody: { ...read.acceptedBody, [kind]: keepWithinLimit(read.acceptedBody[kind]) },
    acceptedIndexes: { ...read.acceptedIndexes, [kind]: keepWithinLimit(read.acceptedIndexes[kind]) },
  };
}
