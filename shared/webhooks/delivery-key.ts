import { createHash } from 'node:crypto';
import type { EventRow } from '../events/event-row.ts';
import { makeId } from '../system/ids.ts';

/** Deterministic for an event and an endpoint, and in the order of the events. */
export const deliveryKey = (webhook: string, { id, atMs }: Pick<EventRow, 'id' | 'atMs'>) => ({
  webhook,
  id: makeId('delivery', atMs, createHash('sha256').update(`${id}.${webhook}`).digest()),
});
