// What Suunto sends: one person's new samples or workout, signed over the raw body.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../model/local-day.ts';
import type { PushNote, PushRules } from '../push.ts';
import { sameSecret } from '../same-secret.ts';
import { jsonIn } from '../vendor.ts';

const signatureHeader = 'x-hmac-sha256-signature';

const Notification = z.looseObject({
  type: z.string(),
  username: z.string().min(1).max(256),
  samples: z.array(z.unknown()).nullish(),
  workout: z.looseObject({ workoutKey: z.string().min(1).max(64) }).nullish(),
});
type Notification = z.infer<typeof Notification>;

const resources: Readonly<Record<string, string>> = {
  SUUNTO_247_SLEEP_CREATED: 'sleep',
  SUUNTO_247_ACTIVITY_CREATED: 'activity',
};

function notesOf({ type, username: account, samples, workout }: Notification, receivedMs: number): PushNote[] {
  // What comes of a workout is cut short: it is read again in full.
  if (type === 'WORKOUT_CREATED' && workout)
    return [{ account, what: 'object', resource: 'workout', id: workout.workoutKey }];
  const resource = Object.hasOwn(resources, type) ? resources[type] : undefined;
  if (resource === undefined || !samples || samples.length === 0) return [];
  const data: PushNote = { account, what: 'data', page: { resource, text: JSON.stringify(samples) } };
  if (resource !== 'sleep') return [data];
  // After a night the statistics of the day before are complete, and nothing else tells of them.
  const today = utcDay(receivedMs);
  return [data, { account, what: 'days', from: addDays(today, -1), to: today }];
}

export const suuntoPush: PushRules = {
  isGenuine({ method, headers, body }, { credentials }) {
    const secret = credentials.more['notification_secret'];
    if (method !== 'POST' || !secret) return false;
    return sameSecret(headers[signatureHeader], createHmac('sha256', secret).update(body).digest('hex'));
  },
  read({ headers, body, receivedMs }) {
    const notification = Notification.safeParse(jsonIn({ text: Buffer.from(body).toString() })).data;
    const name = headers[signatureHeader];
    return notification && { notes: notesOf(notification, receivedMs), ...(name ? { name } : {}) };
  },
  accepted: { status: 200 },
};
