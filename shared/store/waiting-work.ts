// What of a user waits for ingest: devices that leave, a move, and uploads in the order of arrival. They stand together, outside of the head, and are read in one Query.
import type { Item } from '../engine/ports.ts';
import { type BatchRow, batchRows } from './batches.ts';
import { type DeviceRow, deviceRows } from './devices.ts';
import { userPartition, waitingPrefix } from './keys.ts';
import { type Rezoning, rezoningRows } from './rezonings.ts';
import { repository } from './store.ts';

export interface WaitingWork {
  leaving: DeviceRow[];
  rezoning: Rezoning | undefined;
  /** The oldest of them. */
  batches: BatchRow[];
}

export const waitingWork = repository((store) => ({
  async of(user: string, mostBatches: number): Promise<WaitingWork> {
    const items: Item[] = [];
    const isEnough = () => items.filter(batchRows(store).isWaiting).length >= mostBatches;
    let after: Item | undefined;
    do {
      const page = await store.table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: waitingPrefix },
        limit: mostBatches,
        consistent: true,
        ...(after ? { after } : {}),
      });
      items.push(...page.items);
      after = page.next;
      // Devices that leave stand in front: they take no upload's place.
    } while (after && !isEnough());
    return {
      leaving: deviceRows(store).fromWaiting(items),
      rezoning: rezoningRows(store).fromWaiting(user, items),
      batches: batchRows(store).fromWaiting(items).slice(0, mostBatches),
    };
  },
}));
