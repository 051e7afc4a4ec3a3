// An event as stored in rows: first in the outbox with its change, then in a page of its
// environment's feed.
import * as z from 'zod';
import type { Item } from '../platform/ports.ts';
import { EventDetails, type NewEvent, StoredEventType } from './event.ts';

export const EventRow = z.object({
  id: z.string(),
  type: StoredEventType,
  atMs: z.number(),
  user: z.string().optional(),
  device: z.string().optional(),
  metrics: z.array(z.string()).optional(),
  more: EventDetails.optional(),
});
export type EventRow = z.infer<typeof EventRow>;

export const toNewEventItem = ({ id, type, atMs, userId, deviceId, metrics, more }: NewEvent): Item =>
  toEventItem({ id, type, atMs, user: userId, device: deviceId, metrics, more });

export const toEventItem = ({ id, type, atMs, user, device, metrics, more }: EventRow): Item => ({
  id,
  type,
  atMs,
  ...(user === undefined ? {} : { user }),
  ...(device === undefined ? {} : { device }),
  ...(metrics === undefined ? {} : { metrics }),
  ...(more === undefined ? {} : { more: omitUndefined(more) }),
});

const omitUndefined = (more: EventDetails): Item =>
  Object.fromEntries(Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
