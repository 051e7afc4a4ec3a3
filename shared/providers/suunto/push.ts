// Reads Suunto's pushes: new samples or a workout of one user, signed over the raw body.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { maxPushBytes, type PushAdapter, type PushNotification } from '../kit/push.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { readInstant } from '../phone/read-time.ts';
import { readSuuntoNightBounds, SuuntoSleep } from './items.ts';

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

function toNotifications({ type, username: account, samples, workout }: Notification): PushNotification[] {
  // A pushed workout is abbreviated, so it is read again in full.
  if (type === 'WORKOUT_CREATED' && workout)
    return [{ account, what: 'object', resource: 'workout', id: workout.workoutKey }];
  const resource = Object.hasOwn(resources, type) ? resources[type] : undefined;
  if (resource === undefined || !samples || samples.length === 0) return [];
  const data: PushNotification = { account, what: 'data', page: { resource, text: JSON.stringify(samples) } };
  const latestDay = samples
    .flatMap(resource === 'sleep' ? readWakingDay : readMidnightDay)
    .sort()
    .at(-1);
  if (latestDay === undefined) return [data];
  // The totals of a day are complete when it is over, and only the statistics contain them. Data
  // that was just pushed may not be listed yet, so its own day is not read. East of the home zone a
  // day is over while it still lasts at home; the day before is over everywhere.
  return [data, { account, what: 'days', from: addDays(latestDay, -2), to: addDays(latestDay, -1) }];
}

function readWakingDay(sample: unknown): string[] {
  const night = SuuntoSleep.safeParse(sample).data;
  const end = night && readSuuntoNightBounds(night)?.end;
  return end ? [utcDay(end.ms + (end.offsetMinutes ?? 0) * 60_000)] : [];
}

const TimedSample = z.looseObject({ timestamp: z.string() });

/**
 * For users who take the watch off at night: a sample in the first hour of a day marks its
 * beginning.
 */
function readMidnightDay(sample: unknown): string[] {
  const { timestamp = '' } = TimedSample.safeParse(sample).data ?? {};
  return timestamp.slice(11, 13) === '00' && readInstant(timestamp) ? [timestamp.slice(0, 10)] : [];
}

export const suuntoPush: PushAdapter = {
  maxBytes: maxPushBytes,
  isGenuine({ method, headers, body }, { credentials }) {
    const secret = credentials.more['notification_secret'];
    if (method !== 'POST' || !secret) return false;
    return secretsEqual(headers[signatureHeader], createHmac('sha256', secret).update(body).digest('hex'));
  },
  read({ headers, body }) {
    const notification = Notification.safeParse(parseResponseJson({ text: Buffer.from(body).toString() })).data;
    const name = headers[signatureHeader];
    return notification && { notifications: toNotifications(notification), ...(name ? { messageId: name } : {}) };
  },
  acceptedResponse: { status: 200 },
};
