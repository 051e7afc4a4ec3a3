// What Google Health announces: whose data of which type has changed, and when it was. It shows the secret that its subscriber was made with.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../kit/pages.ts';
import type { PushKeys, PushNote, PushRequest, PushRules } from '../kit/push.ts';
import { daysAround, daysBeside, latestDays, withinReach } from '../kit/pushed-days.ts';
import { sameSecret } from '../kit/same-secret.ts';
import { jsonIn } from '../kit/vendor.ts';
import { dailyPointMetrics } from './data-types.ts';
import { googleHealth } from './descriptor.ts';
import { GoogleDate, GoogleInstant } from './points.ts';
import { judgeSignature } from './webhook-keyset.ts';

const Civil = z.looseObject({ date: GoogleDate }).transform(({ date }) => date);
const CivilText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((text) => text.slice(0, 10));
const Interval = z.looseObject({
  physicalTimeInterval: z
    .looseObject({ startTime: GoogleInstant, endTime: GoogleInstant.optional() })
    .nullish()
    .catch(null),
  civilDateTimeInterval: z.looseObject({ startDateTime: Civil, endDateTime: Civil.optional() }).nullish().catch(null),
  civilIso8601TimeInterval: z
    .looseObject({ startTime: CivilText, endTime: CivilText.optional() })
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
type Changed = z.infer<typeof Notification>['data'];

/** Whatever days it may have been, wherever the person is at home; what is stated of a day is on that day. */
function daysOf(
  {
    civilDateTimeInterval: civil,
    civilIso8601TimeInterval: written,
    physicalTimeInterval: physical,
  }: z.infer<typeof Interval>,
  dataType: string,
): DayWindow | undefined {
  if (physical) return daysAround(physical.startTime, physical.endTime ?? physical.startTime);
  const from = civil?.startDateTime ?? written?.startTime;
  if (from === undefined || !isCalendarDate(from)) return undefined;
  const last = civil ? civil.endDateTime : written?.endTime;
  const to = last !== undefined && isCalendarDate(last) ? last : from;
  return Object.hasOwn(dailyPointMetrics, dataType) ? { from, to } : daysBeside(from, to);
}

const sessions: Readonly<Record<string, 'sleep' | 'workouts'>> = { sleep: 'sleep', exercise: 'workouts' };
/** It becomes part of an address. */
const recordId = /^[\w-]{1,128}$/;

function notesOf({ healthUserId: account, operation, dataType, recordId: id, intervals }: Changed, receivedMs: number) {
  const { historyDays, sync } = googleHealth;
  const named = (intervals ?? []).flatMap((interval) => daysOf(interval, dataType) ?? []);
  const days = named.flatMap((each) => withinReach(each, { receivedMs, historyDays }) ?? []);
  const notes: PushNote[] = days.map((each) => ({ account, what: 'days', ...each }));
  const kind = sessions[dataType];
  if (kind && id && recordId.test(id)) {
    if (operation === 'DELETE') notes.push({ account, what: 'deleted', kind, id });
    else if (named.length === 0) notes.push({ account, what: 'object', resource: dataType, id });
  }
  if (notes.length === 0 && named.length === 0)
    notes.push({ account, what: 'days', ...latestDays(receivedMs, sync.rereadDays) });
  return notes;
}

/** Each once: a batch speaks of one day in many types. */
const distinct = (notes: readonly PushNote[]): PushNote[] => [
  ...new Map(notes.map((note) => [JSON.stringify(note), note])).values(),
];

const jsonOf = ({ body }: PushRequest): unknown => jsonIn({ text: Buffer.from(body).toString() });

function isGenuine({ headers, body }: PushRequest, { credentials: { more } }: PushKeys): boolean {
  if (!sameSecret(headers['authorization'], more['subscriber_secret'])) return false;
  const signature = headers['google-health-api-signature'];
  const keyset = more['webhook_keyset'];
  // Keys change every month: one that is not in the keyset yet proves nothing, and the secret was right.
  return !signature || !keyset || judgeSignature(keyset, signature, body) !== 'wrong';
}

const Verification = z.looseObject({ type: z.literal('verification') });

export const googleHealthPush: PushRules = {
  /** It gathers many notifications into one list. */
  maxBytes: 1_000_000,
  /** Asked with the secret and without: only the one with it is let in. */
  handshake: (request, keys) =>
    request.method === 'POST' && isGenuine(request, keys) && Verification.safeParse(jsonOf(request)).success
      ? { status: 200 }
      : undefined,
  isGenuine,
  read(request) {
    const json = jsonOf(request);
    const told = (Array.isArray(json) ? json : [json]).flatMap((each) => Notification.safeParse(each).data ?? []);
    if (told.length === 0) return undefined;
    return { notes: distinct(told.flatMap(({ data }) => notesOf(data, request.receivedMs))) };
  },
  accepted: { status: 204 },
};
