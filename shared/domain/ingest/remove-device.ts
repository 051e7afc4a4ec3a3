// Takes a disconnected device's data out of everything it was worked into. It may stop anywhere and start over.
import type { Write } from '../../engine/ports.ts';
import { batchRows } from '../../store/batches.ts';
import { packNormalizedRows, unpackNormalizedRows } from '../../store/codec/normalized-day.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { dayRows } from '../../store/days.ts';
import { type DeviceRow, deviceRows } from '../../store/devices.ts';
import { keptUploads } from '../../store/kept-uploads.ts';
import { sampleRows } from '../../store/samples.ts';
import { sessionPlaces } from '../../store/session-places.ts';
import { type SessionDay, sessionRows } from '../../store/sessions.ts';
import { userRows } from '../../store/users.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import type { Subject } from '../users/subject.ts';
import { workerLifeMs } from '../work/worker-life.ts';
import { isDue, wakeForSecondLook } from './second-look.ts';

const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** False when another worker came between, and it is to be done again. A device that is gone already (it still reads as active here) is cleaned up after once more. */
export async function removeDevice(deps: Deps, subject: Subject, device: DeviceRow): Promise<boolean> {
  const userId = subject.user.id;
  const { store } = deps;
  const due = device.status === 'removing' && isDue(device, deps.clock.now()) ? device : undefined;
  await batchRows(store).removeDeadLetters(userId, device.id);
  await keptUploads(store).removeAll(userId, device.id);
  await sampleRows(store).removeAll(userId, device.ordinal);
  await removeSessions(sessionRows(store).sleep, userId, device.ordinal, async () => {});
  await removeSessions(sessionRows(store).workouts, userId, device.ordinal, (workouts) =>
    sessionRows(store).removeTraces(
      userId,
      workouts.flatMap(({ id, trace }) => (trace === null ? [] : id)),
    ),
  );
  await sessionPlaces(store).removeAll(userId, device.ordinal);
  const dates = await removeDays(deps, userId, device.ordinal);
  const differed = await consolidateDays(deps, subject, dates);
  const scored = device.againMs === null ? dates : differed;
  const asksForScores = askingForScores(deps, userId, scored[0] ?? null, scored.at(-1) ?? null, { atOnce: true });
  const held = await conditionalCommit(store, [
    ...(due ? carriedOut(deps, userId, due) : []),
    userRows(store).settling(subject.user),
    ...asksForScores,
  ]);
  if (!held) return false;
  if (asksForScores.length > 0) await wakeScoring(deps, userId);
  if (due) await wakeForSecondLook(deps, userId, device);
  return true;
}

const carriedOut = ({ store, clock }: Deps, userId: string, device: DeviceRow): Write[] =>
  device.againMs === null
    ? [deviceRows(store).takenOut(userId, device.id, clock.now() + workerLifeMs)]
    : deviceRows(store).removed(userId, device.id);

interface SessionDays<Row> {
  all(user: string): AsyncGenerator<SessionDay<Row>>;
  on(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<Row>>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** What only they name goes before them. */
async function removeSessions<Row extends { device: number }>(
  days: SessionDays<Row>,
  userId: string,
  device: number,
  removeNamed: (sessions: readonly Row[]) => Promise<void>,
): Promise<void> {
  for await (const found of days.all(userId)) {
    let day: SessionDay<Row> | undefined = found;
    while (day?.sessions.some((session) => session.device === device)) {
      const sessions: Row[] = day.sessions.filter((session) => session.device !== device);
      await removeNamed(day.sessions.filter((session) => session.device === device));
      if (await days.replace(userId, { ...day, sessions })) break;
      day = (await days.on(userId, [day.date])).get(day.date);
    }
  }
}

/** Returns every day the device had a part in, also those an earlier attempt has already cleaned. */
async function removeDays({ store }: Deps, userId: string, device: number): Promise<string[]> {
  const dates: string[] = [];
  for await (const found of dayRows(store).normalizedBetween(userId, firstDay, lastDay)) {
    dates.push(found.date);
    let day: typeof found | undefined = found;
    while (day) {
      const rows = unpackNormalizedRows(day.packed);
      const left = rows.filter((row) => row.device !== device);
      if (left.length === rows.length) break;
      if (await dayRows(store).replaceNormalized(userId, day.date, packNormalizedRows(left), day.revision)) break;
      day = (await dayRows(store).normalizedOn(userId, [day.date])).get(day.date);
    }
  }
  return dates;
}
