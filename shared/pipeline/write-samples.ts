// Writes the samples that a pass has changed. It may stop at any point: every row it writes is
// complete, and open samples stay in their slots until all rows of their day are written.

import { type OpenSlot, openSampleRows } from '../measurements/rows/open-sample-rows.ts';
import type { StoredSampleDay } from '../measurements/rows/sample-day.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { utcDay } from '../platform/time/local-day.ts';
import { writeAllConditionally } from '../platform/write-all-conditionally.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { assertApplied } from './command-handler.ts';
import type { SampleChanges } from './compute-sample-changes.ts';

/** Providers send whole days at once, so only phones benefit from slots. */
export async function writeSamples(
  { store, clock }: Deps,
  userId: string,
  device: DeviceRow,
  { items, open }: Pick<SampleChanges, 'items' | 'open'>,
): Promise<void> {
  const replace = (day: StoredSampleDay) => sampleRows(store).replace(userId, day, day.samples, day.revision);
  if (device.connection !== 'sdk') return assertApplied(await writeAllConditionally(items, replace));
  const replaceSlot = (slot: OpenSlot) => openSampleRows(store).replace(userId, slot);
  const {
    completedSlots: ended,
    summaries: known,
    rows,
    closedDays: closing,
    slots,
  } = open.planWrites(device.ordinal, items, utcDay(clock.now()));
  assertApplied(await writeAllConditionally(ended, replaceSlot));
  assertApplied(await writeAllConditionally(known, (each) => openSampleRows(store).replaceSummary(userId, each)));
  assertApplied(await writeAllConditionally(rows, replace));
  await writeAllConditionally(closing, async (day) => {
    // If a row exists, late samples have already closed the metric, and the row is newer.
    await replace(day);
    return true;
  });
  assertApplied(await writeAllConditionally(slots, replaceSlot));
}
