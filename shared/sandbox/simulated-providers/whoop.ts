// Simulates WHOOP: lists with the newest first and at most 25 records a page, and signed
// notifications.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { type DataRequest, type ItemSource, jsonProviderResponse, type ProviderSimulator } from './simulator.ts';
import { uuidFromName } from './uuid-from-name.ts';
import { whoopItems } from './whoop-items.ts';

const listPaths: Readonly<Record<string, string>> = {
  '/developer/v2/cycle': 'cycle',
  '/developer/v2/activity/sleep': 'sleep',
  '/developer/v2/recovery': 'recovery',
  '/developer/v2/activity/workout': 'workout',
};

const SpanItem = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  sleep_id: z.string().optional(),
  start: z.string().optional(),
  end: z.string().nullish(),
});

export const whoopSimulator: ProviderSimulator = {
  renderInvalidGrant: () =>
    jsonProviderResponse(
      {
        error: 'invalid_grant',
        error_description: 'The provided authorization grant or refresh token is invalid, expired or revoked.',
      },
      400,
    ),
  listItems: whoopItems,

  respond(request, items) {
    const { path, account } = request;
    if (path === '/developer/v2/user/profile/basic')
      return jsonProviderResponse({
        user_id: Number(account),
        email: 'someone@example.com',
        first_name: 'Some',
        last_name: 'One',
      });
    const resource = listPaths[path];
    if (resource) return respondWithList(resource, request, items);
    const at = path.lastIndexOf('/');
    const kind = listPaths[path.slice(0, at)];
    if (!kind || kind === 'recovery') return undefined;
    const found = items(kind).find((item) => String(SpanItem.parse(item).id) === path.slice(at + 1));
    return found ? jsonProviderResponse(found) : jsonProviderResponse({}, 404);
  },

  buildPushes(account, days, { credentials }, nowMs) {
    const changes = days.flatMap((day) => [
      ...day.sleeps.map(({ id }) => ({ id: uuidFromName(id), type: 'sleep.updated' })),
      ...day.sleeps.filter(({ isNap }) => !isNap).map(({ id }) => ({ id: uuidFromName(id), type: 'recovery.updated' })),
      ...day.workouts.map(({ id }) => ({ id: uuidFromName(id), type: 'workout.updated' })),
    ]);
    return changes.map(({ id, type }) => {
      const body = JSON.stringify({
        user_id: Number(account),
        id,
        type,
        trace_id: uuidFromName(`${id} ${type} ${nowMs}`),
      });
      const timestamp = String(nowMs);
      return {
        headers: {
          'content-type': 'application/json',
          'x-whoop-signature-timestamp': timestamp,
          'x-whoop-signature': createHmac('sha256', credentials.clientSecret)
            .update(timestamp + body)
            .digest('base64'),
        },
        body,
        secretPath: false,
      };
    });
  },
};

function respondWithList(resource: string, { query, nowMs }: DataRequest, items: ItemSource) {
  const startMs = Date.parse(query['start'] ?? '2015-01-01T00:00:00Z');
  const endMs = Date.parse(query['end'] ?? new Date(nowMs).toISOString());
  const limit = Number(query['limit'] ?? 10);
  if (!(limit >= 1 && limit <= 25) || Number.isNaN(startMs) || Number.isNaN(endMs))
    return jsonProviderResponse({}, 400);
  const dates = { from: addDays(utcDay(startMs), -2), to: addDays(utcDay(endMs), 2) };
  const readSpan = createSpanReader(resource, items, dates);
  const matching = items(resource, dates)
    .map((item) => ({ item, ...readSpan(item) }))
    .filter((each) => each.startMs < endMs && each.endMs >= startMs)
    .sort((a, b) => b.startMs - a.startMs);
  const at = Number(query['nextToken'] ?? 0);
  const isLast = at + limit >= matching.length;
  return jsonProviderResponse({
    records: matching.slice(at, at + limit).map(({ item }) => item),
    ...(isLast ? {} : { next_token: String(at + limit) }),
  });
}

/** The span of a recovery is that of its sleep. */
function createSpanReader(resource: string, items: ItemSource, dates: { from: string; to: string }) {
  const readSpan = (item: unknown) => {
    const { start = '', end } = SpanItem.parse(item);
    return { startMs: Date.parse(start), endMs: end ? Date.parse(end) : Number.POSITIVE_INFINITY };
  };
  if (resource !== 'recovery') return readSpan;
  const sleeps = new Map(items('sleep', dates).map((item) => [SpanItem.parse(item).id, item]));
  return (item: unknown) => readSpan(sleeps.get(SpanItem.parse(item).sleep_id) ?? {});
}
