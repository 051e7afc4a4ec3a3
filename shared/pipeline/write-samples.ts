// Writes the samples that a pass has changed. It may stop anywhere: a row is complete whenever it is written, and samples that stay open are found
// in their slots until all rows of their day stand.

import { type OpenSlot, openSampleRows } from '../measurements/rows/open-sample-rows.ts';
import type { KeptSampleDay } from '../measurements/rows/sample-day.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { allHeld } from '../platform/all-held.ts';
import { utcDay } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import type { SampleChanges } from './sample-changes.ts';
import { mustHold } from './work.ts';

/** Providers send whole days at once, so only phones gain from slots. */
export async function writeSamples(
  { store, clock }: Deps,
  userId: string,
  device: DeviceRow,
  { items, open }: Pick<SampleChanges, 'items' | 'open'>,
): Promise<void> {
  const replace = (day: KeptSampleDay) => sampleRows(store).replace(userId, day, day.samples, day.revision);
  if (device.connection !== 'sdk') return mustHold(await allHeld(items, replace));
  const replaceSlot = (slot: OpenSlot) => openSampleRows(store).replace(userId, slot);
  const { ended, known, rows, closing, slots } = open.divide(device.ordinal, items, utcDay(clock.now()));
  mustHold(await allHeld(ended, replaceSlot));
  mustHold(await allHeld(known, (each) => openSampleRows(store).replaceKnown(userId, each)));
  mustHold(await allHeld(rows, replace));
  await allHeld(closing, async (day) => {
    // Where a row stands, late samples have closed the metric before, and the row is newer.
    await replace(day);
    return true;
  });
  mustHold(await allHeld(slots, replaceSlot));
}
