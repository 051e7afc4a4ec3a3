// Removes a disconnected device's data from everything derived from it. The handler may stop at any
// point and start over.
import { packNormalizedRows, unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import { allDays } from '../measurements/date-span.ts';
import { dayRows } from '../measurements/rows/day-rows.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { sessionLocationRows } from '../measurements/rows/session-location-rows.ts';
import { type SessionDay, sessionRows } from '../measurements/rows/session-rows.ts';
import type { Deps } from '../system/deps.ts';
import { commandRows } from '../users/command-rows.ts';
import { deviceRows } from '../users/device-rows.ts';
import { assertApplied, type CommandHandler } from './command-handler.ts';
import { consolidateDays } from './consolidate-days.ts';
import { quarantinedUploadRows } from './quarantined-upload-rows.ts';
import { rawUploadRows } from './raw-uploads.ts';
import { uploadSummaryRows } from './upload-summary-rows.ts';

/**
 * For callers the device no longer exists once the command is appended; this handler removes its
 * data.
 */
export const removeDeviceHandler: CommandHandler<'remove-device'> = {
  isLong: true,
  async handle(deps, userContext, [command]) {
    if (!command) return { writes: [] };
    const { store } = deps;
    const { user } = userContext;
    const { device } = command;
    await quarantinedUploadRows(store).removeByDevice(user.id, device.id);
    await rawUploadRows(store).removeByDevice(user.id, device.id);
    await uploadSummaryRows(store).removeByDevice(user.id, device.id);
    await sampleRows(store).removeByDevice(user.id, device.ordinal);
    await removeSessions(sessionRows(store).sleep, user.id, device.ordinal, async () => {});
    await removeSessions(sessionRows(store).workouts, user.id, device.ordinal, (workouts) =>
      sessionRows(store).removeTraces(
        user.id,
        workouts.flatMap(({ id, trace }) => (trace === null ? [] : id)),
      ),
    );
    await sessionLocationRows(store).removeByDevice(user.id, device.ordinal);
    const dates = await removeDays(deps, user.id, device.ordinal);
    await consolidateDays(deps, userContext, dates);
    const [from, to] = [dates[0], dates.at(-1)];
    const { [device.id]: _removed, ...lastUploads } = user.lastUploads;
    return {
      writes: [commandRows(store).buildFinish(user.id, command), deviceRows(store).buildTombstone(user.id, device.id)],
      scores: from === undefined || to === undefined ? [] : [{ from, to, dueMs: 0, atOnce: true }],
      userFields: { lastUploads },
    };
  },
};

interface SessionDays<Row> {
  iterateAll(user: string): AsyncGenerator<SessionDay<Row>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** Items that only these sessions refer to are deleted before them. */
async function removeSessions<Row extends { device: number }>(
  days: SessionDays<Row>,
  userId: string,
  device: number,
  removeReferenced: (sessions: readonly Row[]) => Promise<void>,
): Promise<void> {
  for await (const day of days.iterateAll(userId)) {
    const removedSessions = day.sessions.filter((session) => session.device === device);
    if (removedSessions.length === 0) continue;
    await removeReferenced(removedSessions);
    const sessions = day.sessions.filter((session) => session.device !== device);
    assertApplied(await days.replace(userId, { ...day, sessions }));
  }
}

/**
 * Returns every day on which the device may have had values, including days that an earlier attempt
 * has already cleaned.
 */
async function removeDays({ store }: Deps, userId: string, device: number): Promise<string[]> {
  const dates: string[] = [];
  for await (const day of dayRows(store).iterateNormalized(userId, allDays.from, allDays.to)) {
    dates.push(day.date);
    const rows = unpackNormalizedRows(day.packed);
    const remaining = rows.filter((row) => row.device !== device);
    if (remaining.length < rows.length)
      assertApplied(
        await dayRows(store).replaceNormalized(userId, day.date, packNormalizedRows(remaining), day.revision),
      );
  }
  return dates;
}
