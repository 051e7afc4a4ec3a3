// Takes a disconnected device's data out of everything it was worked into. It may stop anywhere and start over.
import { TransactionRefused } from '../../engine/ports.ts';
import { packDeviceRows, unpackDeviceRows } from '../../store/codec/normalized-day.ts';
import type { DeviceRow } from '../../store/devices.ts';
import type { SampleDay } from '../../store/samples.ts';
import type { SessionDay } from '../../store/sessions.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import type { Subject } from '../subject.ts';

const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** False when another worker came between, and it is to be done again. A device that is removed already is cleaned up after once more. */
export async function removeDevice(deps: Deps, subject: Subject, device: DeviceRow): Promise<boolean> {
  const userId = subject.user.id;
  const { store } = deps;
  await removeSamples(deps, userId, device);
  await removeSessions(store.sessions.sleep, userId, device.ordinal);
  // Before the workouts, which are what names them.
  await store.sessions.removeTraces(userId, await workoutsOf(deps, userId, device.ordinal));
  await removeSessions(store.sessions.workouts, userId, device.ordinal);
  const dates = await removeDays(deps, userId, device.ordinal);
  await consolidateDays(deps, subject, dates);
  const asksForScores = askingForScores(deps, userId, dates[0] ?? null, dates.at(-1) ?? null);
  try {
    await store.commit([
      ...(device.status === 'removing' ? [store.devices.removed(userId, device)] : []),
      store.users.settling(subject.user),
      ...asksForScores,
    ]);
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
  if (asksForScores.length > 0) await wakeScoring(deps, userId);
  return true;
}

async function removeSamples({ store }: Deps, userId: string, device: DeviceRow): Promise<void> {
  const days: SampleDay[] = [];
  for await (const day of store.samples.all(userId)) if (day.device === device.ordinal) days.push(day);
  await store.samples.remove(userId, days);
}

interface SessionDays<Row> {
  all(user: string): AsyncGenerator<SessionDay<Row>>;
  on(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<Row>>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

async function workoutsOf({ store }: Deps, userId: string, device: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { sessions } of store.sessions.workouts.all(userId))
    for (const workout of sessions) if (workout.device === device) ids.push(workout.id);
  return ids;
}

async function removeSessions<Row extends { device: number }>(
  days: SessionDays<Row>,
  userId: string,
  device: number,
): Promise<void> {
  for await (const found of days.all(userId)) {
    let day: SessionDay<Row> | undefined = found;
    while (day?.sessions.some((session) => session.device === device)) {
      const sessions: Row[] = day.sessions.filter((session) => session.device !== device);
      if (await days.replace(userId, { ...day, sessions })) break;
      day = (await days.on(userId, [day.date])).get(day.date);
    }
  }
}

/** Returns every day the device had a part in, also those an earlier attempt has already cleaned. */
async function removeDays({ store }: Deps, userId: string, device: number): Promise<string[]> {
  const dates: string[] = [];
  for await (const found of store.days.normalizedBetween(userId, firstDay, lastDay)) {
    dates.push(found.date);
    let day: typeof found | undefined = found;
    while (day) {
      const rows = unpackDeviceRows(day.packed);
      const left = rows.filter((row) => row.device !== device);
      if (left.length === rows.length) break;
      if (await store.days.replaceNormalized(userId, day.date, packDeviceRows(left), day.revision)) break;
      day = (await store.days.normalizedOn(userId, [day.date])).get(day.date);
    }
  }
  return dates;
}
