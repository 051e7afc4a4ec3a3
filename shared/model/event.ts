// What can happen, and how an event is told.
import * as z from 'zod';
import type { Environment } from './account.ts';

export const EventType = z.enum([
  'data.updated',
  'score.updated',
  'device.connected',
  'device.disconnected',
  'subject.synced',
  'user.created',
  'user.deleted',
  'webhook.exhausted',
  'webhook.disabled',
]);
export type EventType = z.infer<typeof EventType>;

type Told = string | number | boolean | null | Told[] | { [name: string]: Told };

export interface NewEvent {
  id: string;
  type: EventType;
  account: string;
  env: Environment;
  atMs: number;
  userId?: string;
  deviceId?: string;
  metrics?: string[];
  /** What this type tells beyond the fields every event has. */
  more?: { [name: string]: Told };
}
