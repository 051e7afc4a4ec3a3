// Takes a disconnected device's data out of everything it was worked into. It may stop anywhere and start over.
import { packNormalizedRows, unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import { everyDay } from '../measurements/every-day.ts';
import { dayRows } from '../measurements/rows/day-rows.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { sessionPlaces } from '../measurements/rows/session-places.ts';
import { type SessionDay, sessionRows } from '../measurements/rows/session-rows.ts';
import type { Deps } from '../system/deps.ts';
import { commandRows } from '../users/command-rows.ts';
import { deviceRows } from '../users/device-rows.ts';
import { rawUploads } from './raw-uploads.ts';
import { asideRows } from './set-aside-rows.ts';
import { consolidateDays } from './touched-days.ts';
import { mustHold, type Work } from './work.ts';

/** The device is gone for every caller since the command was appended; here its data follows. */
export const deviceRemovals: Work<'remove-device'> = {
  isLong: true,
  async work(deps, subject, [command]) {
    if (!command) return { writes: [] };
    const { store } = deps;
    const { user } = subject;
    const { device } = command;
    await asideRows(store).removeAll(user.id, device.id);
    await rawUploads(store).removeAll(user.id, device.id);
    await sampleRows(store).removeAll(user.id, device.ordinal);
    await removeSessions(sessionRows(store).sleep, user.id, device.ordinal, async () => {});
    await removeSessions(sessionRows(store).workouts, user.id, device.ordinal, (workouts) =>
      sessionRows(store).removeTraces(
        user.id,
        workouts.flatMap(({ id, trace }) => (trace === null ? [] : id)),
      ),
    );
    await sessionPlaces(store).removeAll(user.id, device.ordinal);
    const dates = await removeDays(deps, user.id, device.ordinal);
    await consolidateDays(deps, subject, dates);
    const [from, to] = [dates[0], dates.at(-1)];
    const { [device.id]: _gone, ...seen } = user.seen;
    return {
      writes: [commandRows(store).finishing(user.id, command), deviceRows(store).removed(user.id, device.id)],
      scores: from === undefined || to === undefined ? [] : [{ from, to, dueMs: 0, atOnce: true }],
      head: { seen },
    };
  },
};

interface SessionDays<Row> {
  all(user: string): AsyncGenerator<SessionDay<Row>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** What only they name goes before them. */
async function removeSessions<Row extends { device: number }>(
  days: SessionDays<Row>,
  userId: string,
  device: number,
  removeNamed: (sessions: readonly Row[]) => Promise<void>,
): Promise<void> {
  for await (const day of days.all(userId)) {
    const gone = day.sessions.filter((session) => session.device === device);
    if (gone.length === 0) continue;
    await removeNamed(gone);
    const sessions = day.sessions.filter((session) => session.device !== device);
    mustHold(await days.replace(userId, { ...day, sessions }));
  }
}

/** Returns every day the device had a part in, also those an earlier attempt has already cleaned. */
async function removeDays({ store }: Deps, userId: string, device: number): Promise<string[]> {
  const dates: string[] = [];
  for await (const day of dayRows(store).normalizedBetween(userId, everyDay.from, everyDay.to)) {
    dates.push(day.date);
    const rows = unpackNormalizedRows(day.packed);
    const left = rows.filter((row) => row.device !== device);
    if (left.length < rows.length)
      mustHold(await dayRows(store).replaceNormalized(userId, day.date, packNormalizedRows(left), day.revision));
  }
  return dates;
}
