// The id of a delivery.
import { createHash } from 'node:crypto';
import { makeId } from '../../model/ids.ts';
import type { EventRow } from '../../store/event-row.ts';

/** Always the same for an event and an endpoint, and in the order of the events. */
export const deliveryOf = (webhook: string, { id, atMs }: Pick<EventRow, 'id' | 'atMs'>) => ({
  webhook,
  id: makeId('delivery', atMs, createHash('sha256').update(`${id}.${webhook}`).digest()),
});
