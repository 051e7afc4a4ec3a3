// Everything a caller can read about a user, with devices by name, so that two users with the same
// input have equal states.
import * as z from 'zod';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import { scoreRows } from '../../../shared/measurements/rows/score-rows.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { readForm2Daily, readForm2Sleep, readForm2Timeseries, readForm2Workouts } from '../form-2-reads.ts';
import type { RacedUser } from '../raced-user.ts';

export interface StateSelection {
  dates: readonly [string, ...string[]];
  metrics: readonly MetricId[];
}

export async function readState(user: RacedUser, { dates, metrics }: StateSelection): Promise<unknown> {
  const { deps, caller, id } = user;
  const [from_date, to_date] = [dates[0], dates.at(-1) ?? dates[0]];
  const listed = { from_date, to_date, limit: 100, include_sources: true };
  const [userContext, daily, sleep, workouts, columns] = await Promise.all([
    readUserContext(deps, id),
    readForm2Daily(deps, caller, id, { from_date, to_date, include_sources: true }),
    readForm2Sleep(deps, caller, id, listed),
    readForm2Workouts(deps, caller, id, listed),
    Promise.all(
      metrics.flatMap((metric) =>
        dates.map((date) =>
          readForm2Timeseries(deps, caller, id, { metric, date, resolution: '1h', include_sources: true }),
        ),
      ),
    ),
  ]);
  if (!userContext) throw new Error(`there is no user ${id}`);
  const { user: row, devices } = userContext;
  const text = JSON.stringify({
    timezone: row.timezone,
    devices: devices
      .filter(({ status }) => status === 'active')
      .map(({ model, lastBatch }) => ({ model, hasBrought: lastBatch !== null })),
    days: withoutEmptyMetrics(daily.text),
    columns,
    sleep: sleep.data,
    workouts: workouts.data,
    scores: await readScores(user),
  });
  const named = devices.reduce((state, device) => state.replaceAll(device.id, device.model), text);
  // The id of a session is derived from those of its user and device.
  return JSON.parse(named.replaceAll(/"id":"[^"]+",/g, ''));
}

/** The scores, without the time at which they were computed. */
async function readScores({ deps, id }: RacedUser): Promise<unknown[]> {
  const days: unknown[] = [];
  for await (const { date, current } of scoreRows(deps.store).iterateBetween(id, '0000', '9999', { consistent: true }))
    days.push([date, ...[current.values, current.notes ?? ''].map((packed) => Buffer.from(packed).toString('base64'))]);
  return days;
}

const Daily = z.object({
  series: z.record(z.string(), z.array(z.number().nullable())),
  sources: z.record(z.string(), z.array(z.unknown())),
});

/** A metric without values carries no information. */
function withoutEmptyMetrics(text: string): unknown {
  const { series, sources } = Daily.parse(JSON.parse(text));
  return Object.entries(series).flatMap(([metric, values]) =>
    values.every((value) => value === null) ? [] : [{ metric, values, sources: sources[metric] }],
  );
}
