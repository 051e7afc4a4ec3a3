// Everything a caller can read of a user, with devices by their names: two users who were told the same read the same.
import * as z from 'zod';
import { readDaily } from '../../shared/domain/reads/daily.ts';
import { readSleep } from '../../shared/domain/reads/sleep.ts';
import { readTimeseries } from '../../shared/domain/reads/timeseries.ts';
import { readWorkouts } from '../../shared/domain/reads/workouts.ts';
import { subjectOf } from '../../shared/domain/subject.ts';
import type { MetricId } from '../../shared/model/metrics.ts';
import { unpackDeviceRows } from '../../shared/store/codec/normalized-day.ts';
import { keys } from '../../shared/store/keys.ts';
import { type RacedUser, wholePartition } from './raced-user.ts';

export interface Asked {
  dates: readonly [string, ...string[]];
  metrics: readonly MetricId[];
}

export async function readableState(user: RacedUser, { dates, metrics }: Asked): Promise<unknown> {
  const { deps, caller, id } = user;
  const [from_date, to_date] = [dates[0], dates.at(-1) ?? dates[0]];
  const listed = { from_date, to_date, limit: 100, include_sources: true };
  const [subject, daily, sleep, workouts, columns] = await Promise.all([
    subjectOf(deps, id),
    readDaily(deps, caller, id, { from_date, to_date, include_sources: true }),
    readSleep(deps, caller, id, listed),
    readWorkouts(deps, caller, id, listed),
    Promise.all(
      metrics.flatMap((metric) =>
        dates.map((date) =>
          readTimeseries(deps, caller, id, { metric, date, resolution: '1h', include_sources: true }),
        ),
      ),
    ),
  ]);
  if (!subject) throw new Error(`there is no user ${id}`);
  const { user: row, devices } = subject;
  const text = JSON.stringify({
    timezone: row.timezone,
    devices: devices.filter(({ status }) => status === 'active').map(({ model }) => model),
    days: spokenOf(daily.text),
    columns,
    sleep: sleep.data,
    workouts: workouts.data,
  });
  const named = devices.reduce((state, device) => state.replaceAll(device.id, device.model), text);
  // The id of a session is made of those of its user and device.
  return JSON.parse(named.replaceAll(/"id":"[^"]+",/g, ''));
}

const Daily = z.object({
  series: z.record(z.string(), z.array(z.number().nullable())),
  sources: z.record(z.string(), z.array(z.unknown())),
});

/** A metric without any value says nothing. */
function spokenOf(text: string): unknown {
  const { series, sources } = Daily.parse(JSON.parse(text));
  return Object.entries(series).flatMap(([metric, values]) =>
    values.every((value) => value === null) ? [] : [{ metric, values, sources: sources[metric] }],
  );
}

/** What is still stored of devices that were disconnected. */
export async function leftBehind({ id, deps, table }: RacedUser): Promise<string[]> {
  const subject = await subjectOf(deps, id);
  const active = new Set(subject?.devices.filter(({ status }) => status === 'active').map(({ ordinal }) => ordinal));
  if (active.size === subject?.devices.length) return [];
  const left: string[] = [];
  const note = (device: number, what: string) => {
    if (!active.has(device)) left.push(`${what} of device ${device}`);
  };
  const { days, samples, sessions } = deps.store;
  for await (const { device, metric, utcDay } of samples.all(id)) note(device, `${metric} samples on ${utcDay}`);
  for await (const { date, packed } of days.normalizedBetween(id, '0000', '9999'))
    for (const { device } of unpackDeviceRows(packed)) note(device, `the part on ${date}`);
  for await (const { date, sessions: nights } of sessions.sleep.all(id))
    for (const { device } of nights) note(device, `a night of ${date}`);
  const kept = new Set<string>();
  for await (const { date, sessions: workouts } of sessions.workouts.all(id))
    for (const { device, id: workout } of workouts) {
      kept.add(keys.trace(id, workout).sk);
      note(device, `a workout of ${date}`);
    }
  for (const { sk } of await wholePartition(table, id))
    if (String(sk).startsWith('H#') && !kept.has(String(sk))) left.push('a trace without its workout');
  return left;
}
