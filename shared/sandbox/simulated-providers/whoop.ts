// WHOOP as the sandbox plays it: lists newest first, at most 25 a page, and signed notes.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { nameUuid } from './name-uuid.ts';
import { type DataRequest, type ItemsOf, type VendorShapes, vendorJson } from './shapes.ts';
import { whoopItems } from './whoop-items.ts';

const lists: Readonly<Record<string, string>> = {
  '/developer/v2/cycle': 'cycle',
  '/developer/v2/activity/sleep': 'sleep',
  '/developer/v2/recovery': 'recovery',
  '/developer/v2/activity/workout': 'workout',
};

const Spanning = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  sleep_id: z.string().optional(),
  start: z.string().optional(),
  end: z.string().nullish(),
});

export const whoopShapes: VendorShapes = {
  deadToken: () =>
    vendorJson(
      {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant or refresh token is invalid, expired or revoked.',
      },
      400,
    ),
  items: whoopItems,

  answer(request, items) {
    const { path, account } = request;
    if (path === '/developer/v2/user/profile/basic')
      return vendorJson({
        user_id: Number(account),
        email: 'someone@example.com',
        first_name: 'Some',
        last_name: 'One',
      });
    const resource = lists[path];
    if (resource) return listReply(resource, request, items);
    const at = path.lastIndexOf('/');
    const kind = lists[path.slice(0, at)];
    if (!kind || kind === 'recovery') return undefined;
    const found = items(kind).find((item) => String(Spanning.parse(item).id) === path.slice(at + 1));
    return found ? vendorJson(found) : vendorJson({}, 404);
  },

  pushes(account, days, { credentials }, nowMs) {
    const told = days.flatMap((day) => [
      ...day.sleeps.map(({ id }) => ({ id: nameUuid(id), type: 'sleep.updated' })),
      ...day.sleeps.filter(({ isNap }) => !isNap).map(({ id }) => ({ id: nameUuid(id), type: 'recovery.updated' })),
      ...day.workouts.map(({ id }) => ({ id: nameUuid(id), type: 'workout.updated' })),
    ]);
    return told.map(({ id, type }) => {
      const body = JSON.stringify({ user_id: Number(account), id, type, trace_id: nameUuid(`${id} ${type} ${nowMs}`) });
      const stamp = String(nowMs);
      return {
        headers: {
          'content-type': 'application/json',
          'x-whoop-signature-timestamp': stamp,
          'x-whoop-signature': createHmac('sha256', credentials.clientSecret)
            .update(stamp + body)
            .digest('base64'),
        },
        body,
        secretPath: false,
      };
    });
  },
};

function listReply(resource: string, { query, nowMs }: DataRequest, items: ItemsOf) {
  const startMs = Date.parse(query['start'] ?? '2015-01-01T00:00:00Z');
  const endMs = Date.parse(query['end'] ?? new Date(nowMs).toISOString());
  const limit = Number(query['limit'] ?? 10);
  if (!(limit >= 1 && limit <= 25) || Number.isNaN(startMs) || Number.isNaN(endMs)) return vendorJson({}, 400);
  const dates = { from: addDays(utcDay(startMs), -2), to: addDays(utcDay(endMs), 2) };
  const spanOf = spans(resource, items, dates);
  const matching = items(resource, dates)
    .map((item) => ({ item, ...spanOf(item) }))
    .filter((each) => each.startMs < endMs && each.endMs >= startMs)
    .sort((a, b) => b.startMs - a.startMs);
  const at = Number(query['nextToken'] ?? 0);
  const isLast = at + limit >= matching.length;
  return vendorJson({
    records: matching.slice(at, at + limit).map(({ item }) => item),
    ...(isLast ? {} : { next_token: String(at + limit) }),
  });
}

/** A recovery's is that of its sleep. */
function spans(resource: string, items: ItemsOf, dates: { from: string; to: string }) {
  const spanOf = (item: unknown) => {
    const { start = '', end } = Spanning.parse(item);
    return { startMs: Date.parse(start), endMs: end ? Date.parse(end) : Number.POSITIVE_INFINITY };
  };
  if (resource !== 'recovery') return spanOf;
  const sleeps = new Map(items('sleep', dates).map((item) => [Spanning.parse(item).id, item]));
  return (item: unknown) => spanOf(sleeps.get(Spanning.parse(item).sleep_id) ?? {});
}
