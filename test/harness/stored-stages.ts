// The stages of a user's stored nights.
import { unpackStages } from '../../shared/measurements/codec/sleep-stages.ts';
import type { StagePeriod } from '../../shared/measurements/records.ts';
import { sessionRows } from '../../shared/measurements/rows/session-rows.ts';
import type { Deps } from '../../shared/system/deps.ts';

/** Null for a night without stages. */
export async function listStoredStages({ store }: Deps, userId: string): Promise<(StagePeriod[] | null)[]> {
  const nights: (StagePeriod[] | null)[] = [];
  for await (const { sessions } of sessionRows(store).sleep.iterateAll(userId))
    for (const row of sessions) nights.push(row.stages === undefined ? null : unpackStages(row.startMs, row.stages));
  return nights;
}
