// Everything stored for a user's devices, regardless of rank. A lost or duplicated record shows
// here first.

import { metricTable } from '../../../shared/catalog/metric-table.ts';
import { unpackNormalizedRows } from '../../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { keys } from '../../../shared/system/keys.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type RacedUser, readPartition } from '../raced-user.ts';

/** Sorted descriptions of the records. Those of a removed device are marked. */
export async function listStoredRecords({ id, deps, table }: RacedUser): Promise<string[]> {
  const userContext = await readUserContext(deps, id);
  const names = new Map(
    userContext?.devices.map(({ ordinal, model, status }) => [ordinal, status === 'active' ? model : `${model}, gone`]),
  );
  const stored: string[] = [];
  for await (const { device, metric, samples: own } of sampleRows(deps.store).iterateAll(id))
    for (const { startMs, endMs, value, offsetMinutes } of own)
      stored.push(`${names.get(device)} sample ${metric} ${startMs} ${endMs} ${value} ${offsetMinutes}`);
  for await (const { date, packed } of dayRows(deps.store).iterateNormalized(id, '0000', '9999'))
    for (const { device, values } of unpackNormalizedRows(packed))
      for (const metric of metricTable.filter(({ index }) => !Number.isNaN(values[index] ?? Number.NaN)))
        stored.push(`${names.get(device)} day ${date} ${metric.id} ${values[metric.index]}`);
  for await (const { date, sessions: nights } of sessionRows(deps.store).sleep.iterateAll(id))
    for (const { device, startMs, endMs } of nights)
      stored.push(`${names.get(device)} night ${date} ${startMs} ${endMs}`);
  const traces = new Set<unknown>();
  for await (const { date, sessions: workouts } of sessionRows(deps.store).workouts.iterateAll(id))
    for (const { device, startMs, endMs, id: workout } of workouts) {
      stored.push(`${names.get(device)} workout ${date} ${startMs} ${endMs}`);
      traces.add(keys.trace(id, workout).sk);
    }
  for (const { sk } of await readPartition(table, id))
    if (String(sk).startsWith('H#')) stored.push(traces.has(sk) ? 'trace' : 'trace without its workout');
  return stored.sort();
}
