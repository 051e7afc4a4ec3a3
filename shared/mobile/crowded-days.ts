// Nights and workouts beyond what a device can have on one day are told so and left out.

import type { SleepRecord, WorkoutRecord } from '../measurements/records.ts';
import { type SessionDay, sessionRows } from '../measurements/rows/session-rows.ts';
import { localDate } from '../platform/time/local-day.ts';
import { uploadLimits } from '../providers/kit/upload-limits.ts';
import type { ReadUpload } from '../providers/phone/read-upload.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { dayRuleOf } from '../users/subject.ts';
import type { UserRow } from '../users/user-rows.ts';

type Kind = 'sleep' | 'workouts';
interface Stored {
  device: number;
  startMs: number;
}

/** The upload without them, when there are any. */
export async function withoutCrowds(
  { store }: Deps,
  { user, device }: { user: UserRow; device: DeviceRow },
  read: ReadUpload,
): Promise<ReadUpload> {
  const rule = dayRuleOf(user);
  const { sleep, workouts } = read.records;
  const nights = sleep.map((night) => ({ startMs: night.startMs, date: localDate(night.endMs, rule, night) }));
  const walks = workouts.map((workout) => ({
    startMs: workout.startMs,
    date: localDate(workout.startMs, rule, workout),
  }));
  const nightly = await surplusIn(sessionRows(store).sleep, user.id, device.ordinal, nights);
  const walked = await surplusIn(sessionRows(store).workouts, user.id, device.ordinal, walks);
  return without(without(read, 'sleep', nightly), 'workouts', walked);
}

async function surplusIn(
  days: { on(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<Stored>>> },
  userId: string,
  device: number,
  sessions: readonly { startMs: number; date: string }[],
): Promise<Set<number>> {
  const surplus = new Set<number>();
  if (sessions.length === 0) return surplus;
  const stored = await days.on(userId, [...new Set(sessions.map(({ date }) => date))]);
  const starts = new Map(
    Array.from(stored, ([date, day]) => [
      date,
      new Set(day.sessions.filter((row) => row.device === device).map(({ startMs }) => startMs)),
    ]),
  );
  for (const [index, { date, startMs }] of sessions.entries()) {
    const known = starts.get(date) ?? new Set();
    starts.set(date, known);
    if (known.has(startMs)) continue;
    if (known.size >= uploadLimits.sessionsADay) surplus.add(index);
    else known.add(startMs);
  }
  return surplus;
}

function without(read: ReadUpload, kind: Kind, surplus: ReadonlySet<number>): ReadUpload {
  if (surplus.size === 0) return read;
  const what = kind === 'sleep' ? 'nights' : 'workouts';
  const message = `A device can have at most ${uploadLimits.sessionsADay} ${what} per day.`;
  for (const index of surplus)
    read.rejected.add(`${kind}.${read.places[kind][index]}`, { code: 'limit_exceeded', message });
  const left = <T>(list: readonly T[]): T[] => list.filter((_each, index) => !surplus.has(index));
  return {
    ...read,
    records: { ...read.records, [kind]: left<SleepRecord | WorkoutRecord>(read.records[kind]) },
    accepted: read.accepted - surplus.size,
    kept: { ...read.kept, [kind]: left(read.kept[kind]) },
    places: { ...read.places, [kind]: left(read.places[kind]) },
  };
}
