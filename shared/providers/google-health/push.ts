// Reads Google Health's pushes: whose data of which type changed, and when. Each push carries the
// secret that the subscriber was created with.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { clampToHistory, datesWorldwide, rereadWindow, withAdjacentDays } from '../kit/day-windows.ts';
import type { DayWindow } from '../kit/provider-pages.ts';
import type { PushAdapter, PushKeys, PushNotification, PushRequest } from '../kit/push.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { dailyPointMetrics } from './data-types.ts';
import { googleHealth } from './descriptor.ts';
import { GoogleDate, GoogleInstant } from './points.ts';
import { checkSignature } from './webhook-keyset.ts';

const CivilDate = z.looseObject({ date: GoogleDate }).transform(({ date }) => date);
const CivilDateText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((text) => text.slice(0, 10));
const Interval = z.looseObject({
  physicalTimeInterval: z
    .looseObject({ startTime: GoogleInstant, endTime: GoogleInstant.optional() })
    .nullish()
    .catch(null),
  civilDateTimeInterval: z
    .looseObject({ startDateTime: CivilDate, endDateTime: CivilDate.optional() })
    .nullish()
    .catch(null),
  civilIso8601TimeInterval: z
    .looseObject({ startTime: CivilDateText, endTime: CivilDateText.optional() })
    .nullish()
    .catch(null),
});
const Notification = z.looseObject({
  data: z.looseObject({
    healthUserId: z.string().regex(/^[\w.-]{1,128}$/),
    operation: z.string().nullish(),
    dataType: z.string(),
    recordId: z.string().nullish(),
    intervals: z.array(Interval).nullish().catch(null),
  }),
});
type DataChange = z.infer<typeof Notification>['data'];

/** Every day that the data may be on in any time zone; a daily value is exactly on its date. */
function readDays(
  {
    civilDateTimeInterval: civil,
    civilIso8601TimeInterval: isoInterval,
    physicalTimeInterval: physical,
  }: z.infer<typeof Interval>,
  dataType: string,
): DayWindow | undefined {
  if (physical) return datesWorldwide(physical.startTime, physical.endTime ?? physical.startTime);
  const from = civil?.startDateTime ?? isoInterval?.startTime;
  if (from === undefined || !isCalendarDate(from)) return undefined;
  const last = civil ? civil.endDateTime : isoInterval?.endTime;
  const to = last !== undefined && isCalendarDate(last) ? last : from;
  return Object.hasOwn(dailyPointMetrics, dataType) ? { from, to } : withAdjacentDays(from, to);
}

const sessionKinds: Readonly<Record<string, 'sleep' | 'workouts'>> = { sleep: 'sleep', exercise: 'workouts' };
/** The id becomes part of a URL. */
const recordIdPattern = /^[\w-]{1,128}$/;

function toNotifications(
  { healthUserId: account, operation, dataType, recordId: id, intervals }: DataChange,
  receivedMs: number,
) {
  const { historyDays, sync } = googleHealth;
  const namedDays = (intervals ?? []).flatMap((interval) => readDays(interval, dataType) ?? []);
  const days = namedDays.flatMap((each) => clampToHistory(each, { receivedMs, historyDays }) ?? []);
  const notifications: PushNotification[] = days.map((each) => ({ account, what: 'days', ...each }));
  const kind = sessionKinds[dataType];
  if (kind && id && recordIdPattern.test(id)) {
    if (operation === 'DELETE') notifications.push({ account, what: 'deleted', kind, id });
    else if (namedDays.length === 0) notifications.push({ account, what: 'object', resource: dataType, id });
  }
  if (notifications.length === 0 && namedDays.length === 0)
    notifications.push({ account, what: 'days', ...rereadWindow(receivedMs, sync.rereadDays) });
  return notifications;
}

/** Removes duplicates: a batch names the same day for many types. */
const dedupe = (notifications: readonly PushNotification[]): PushNotification[] => [
  ...new Map(notifications.map((notification) => [JSON.stringify(notification), notification])).values(),
];

const parseBody = ({ body }: PushRequest): unknown => parseResponseJson({ text: Buffer.from(body).toString() });

function isGenuine({ headers, body }: PushRequest, { credentials: { more } }: PushKeys): boolean {
  if (!secretsEqual(headers['authorization'], more['subscriber_secret'])) return false;
  const signature = headers['google-health-api-signature'];
  const keyset = more['webhook_keyset'];
  // Keys change every month. A key that is not in the keyset yet proves nothing, and the secret was
  // correct.
  return !signature || !keyset || checkSignature(keyset, signature, body) !== 'wrong';
}

const Verification = z.looseObject({ type: z.literal('verification') });

export const googleHealthPush: PushAdapter = {
  /** A push contains a list of many notifications. */
  maxBytes: 1_000_000,
  /** Google probes with the secret and without it. Only the request with the secret is accepted. */
  answerHandshake: (request, keys) =>
    request.method === 'POST' && isGenuine(request, keys) && Verification.safeParse(parseBody(request)).success
      ? { status: 200 }
      : undefined,
  isGenuine,
  read(request) {
    const json = parseBody(request);
    const changes = (Array.isArray(json) ? json : [json]).flatMap((each) => Notification.safeParse(each).data ?? []);
    if (changes.length === 0) return undefined;
    return { notifications: dedupe(changes.flatMap(({ data }) => toNotifications(data, request.receivedMs))) };
  },
  acceptedResponse: { status: 204 },
};
