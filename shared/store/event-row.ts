// An event as rows carry it: in the outbox with the change it tells of, and then in a page of its environment's feed.
import * as z from 'zod';
import type { Item } from '../engine/ports.ts';
import { EventDetails, KeptEventType, type NewEvent } from '../model/event.ts';
import { KeptMetrics } from '../model/kept-metrics.ts';

export const EventRow = z.object({
  id: z.string(),
  type: KeptEventType,
  atMs: z.number(),
  user: z.string().optional(),
  device: z.string().optional(),
  metrics: KeptMetrics.optional(),
  more: EventDetails.optional(),
});
export type EventRow = z.infer<typeof EventRow>;

export const eventItem = ({ id, type, atMs, userId, deviceId, metrics, more }: NewEvent): Item => ({
  id,
  type,
  atMs,
  ...(userId === undefined ? {} : { user: userId }),
  ...(deviceId === undefined ? {} : { device: deviceId }),
  ...(metrics === undefined ? {} : { metrics }),
  ...(more === undefined ? {} : { more: withoutUndefined(more) }),
});

const withoutUndefined = (more: EventDetails): Item =>
  Object.fromEntries(Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
