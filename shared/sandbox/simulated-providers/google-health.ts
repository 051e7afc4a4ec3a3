// Simulates Google Health: totals and averages are computed from points, and points are filtered as
// Google does.

import { googleHealthItems } from './google-health-items.ts';
import { type DataRequest, type ItemSource, jsonProviderResponse, type ProviderSimulator } from './simulator.ts';

/** Google allows at most 25 sessions a page. With fewer, two weeks of nights take two pages. */
const maxSessionsPerPage = 10;
const sessionTypes = new Set(['sleep', 'exercise']);

const errorResponse = (code: number, status: string, reason: string) =>
  jsonProviderResponse({ error: { code, status, message: status, details: [{ reason }] } }, code);

type Item = Readonly<Record<string, unknown>>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;
const readPath = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isItem(inner) ? inner[name] : undefined), value);

const toFieldName = (type: string): string => type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const padTwoDigits = (value: unknown): string => String(value ?? 0).padStart(2, '0');
const formatCivilDate = (date: unknown): string =>
  `${readPath(date, 'year')}-${padTwoDigits(readPath(date, 'month'))}-${padTwoDigits(readPath(date, 'day'))}`;

/** Instants with one precision; dates and local times unchanged. */
const toSortable = (text: string): string => (text.endsWith('Z') ? new Date(Date.parse(text)).toISOString() : text);

/** The value that the filter compares: a date, an instant or a local time, as sortable text. */
function readFilterValue(type: string, path: string, item: Item): string {
  const value = item[toFieldName(type)];
  if (path === 'date') return formatCivilDate(readPath(value, 'date'));
  if (path === 'sample_time.physical_time') return toSortable(String(readPath(value, 'sampleTime', 'physicalTime')));
  if (path === 'interval.end_time') return toSortable(String(readPath(value, 'interval', 'endTime')));
  if (path === 'interval.start_time') return toSortable(String(readPath(value, 'interval', 'startTime')));
  const start = readPath(value, 'interval', 'civilStartTime');
  const time = readPath(start, 'time');
  return `${formatCivilDate(readPath(start, 'date'))}T${padTwoDigits(readPath(time, 'hours'))}:${padTwoDigits(readPath(time, 'minutes'))}:${padTwoDigits(readPath(time, 'seconds'))}`;
}

const filterPattern = /^(\w+)\.([\w.]+) >= "([^"]+)" AND \1\.\2 < "([^"]+)"$/;

function respondToReconcile(type: string, { query }: DataRequest, itemSource: ItemSource) {
  const [, name, path = '', from = '', before = ''] = filterPattern.exec(query['filter'] ?? '') ?? [];
  if (name !== type.replaceAll('-', '_')) return errorResponse(400, 'INVALID_ARGUMENT', 'INVALID_FILTER');
  if (type === 'sleep' && path !== 'interval.end_time') return errorResponse(400, 'INVALID_ARGUMENT', 'INVALID_FILTER');
  const dates = { from: shiftDate(from, -1), to: shiftDate(before, 1) };
  const matching = itemSource(type, dates)
    .filter(isItem)
    .filter((item) => {
      const filterValue = readFilterValue(type, path, item);
      return filterValue >= toSortable(from) && filterValue < toSortable(before);
    })
    .map(({ name: pointName, dataSource: _, ...item }) =>
      pointName === undefined ? item : { dataPointName: pointName, ...item },
    );
  const start = Number(query['pageToken'] ?? 0);
  const requestedSize = Number(query['pageSize'] ?? 50);
  const size = sessionTypes.has(type) ? Math.min(requestedSize, maxSessionsPerPage) : requestedSize;
  const page = matching.slice(start, start + size);
  // The last page may be an empty object.
  if (page.length === 0) return jsonProviderResponse({});
  return jsonProviderResponse({
    dataPoints: page,
    ...(matching.length > start + size ? { nextPageToken: String(start + size) } : {}),
  });
}

const shiftDate = (text: string, days: number): string =>
  new Date(Date.parse(text.slice(0, 10)) + days * 86_400_000).toISOString().slice(0, 10);

/** Civil days from the start, excluding the end. */
function respondToDailyRollUp(type: string, { json }: DataRequest, itemSource: ItemSource) {
  const [from, before] = ['start', 'end'].map((end) => formatCivilDate(readPath(json, 'range', end, 'date')));
  if (from === undefined || before === undefined || (Date.parse(before) - Date.parse(from)) / 86_400_000 > 14)
    return errorResponse(400, 'INVALID_ARGUMENT', 'RANGE_TOO_LONG');
  const points = itemSource(`daily:${type}`, { from, to: shiftDate(before, -1) })
    .filter(isItem)
    .filter((item) => {
      const date = formatCivilDate(readPath(item, 'civilStartTime', 'date'));
      return date >= from && date < before;
    });
  return jsonProviderResponse(points.length === 0 ? {} : { rollupDataPoints: points });
}

/** Averages over windows of the requested length that contain a reading. */
function respondToRollUp({ json }: DataRequest, itemSource: ItemSource) {
  const [startMs, endMs] = ['startTime', 'endTime'].map((name) => Date.parse(String(readPath(json, 'range', name))));
  const stepMs = Number.parseInt(String(readPath(json, 'windowSize')), 10) * 1000;
  if (startMs === undefined || endMs === undefined || !(endMs - startMs <= 14 * 86_400_000))
    return errorResponse(400, 'INVALID_ARGUMENT', 'RANGE_TOO_LONG');
  const buckets = new Map<number, number[]>();
  const toIso = (ms: number) => new Date(ms).toISOString();
  for (const item of itemSource('heart-rate', {
    from: shiftDate(toIso(startMs), -1),
    to: shiftDate(toIso(endMs), 1),
  })) {
    const ms = Date.parse(String(readPath(item, 'heartRate', 'sampleTime', 'physicalTime')));
    if (!(ms >= startMs && ms < endMs)) continue;
    const at = startMs + Math.floor((ms - startMs) / stepMs) * stepMs;
    buckets.set(at, [...(buckets.get(at) ?? []), Number(readPath(item, 'heartRate', 'beatsPerMinute'))]);
  }
  const points = [...buckets].map(([at, values]) => ({
    startTime: new Date(at).toISOString(),
    endTime: new Date(at + stepMs).toISOString(),
    heartRate: {
      beatsPerMinuteAvg: values.reduce((sum, each) => sum + each, 0) / values.length,
      beatsPerMinuteMin: Math.min(...values),
      beatsPerMinuteMax: Math.max(...values),
    },
  }));
  return jsonProviderResponse(points.length === 0 ? {} : { rollupDataPoints: points });
}

const operationPattern = /^\/v4\/users\/me\/dataTypes\/([a-z0-9-]+)\/dataPoints(?::(\w+)|\/([\w-]+))$/;

export const googleHealthSimulator: ProviderSimulator = {
  respond(request, itemSource) {
    const { method, path, account } = request;
    if (method === 'GET' && path === '/v4/users/me/identity') return jsonProviderResponse({ healthUserId: account });
    if (method === 'GET' && path === '/v4/users/me/settings') {
      const today = new Date(request.nowMs).toISOString().slice(0, 10);
      return jsonProviderResponse(itemSource('settings', { from: shiftDate(today, -1), to: today }).at(-1) ?? {});
    }
    const [, type = '', verb, id] = operationPattern.exec(path) ?? [];
    if (method === 'GET' && verb === 'reconcile') return respondToReconcile(type, request, itemSource);
    if (method === 'POST' && verb === 'dailyRollUp') return respondToDailyRollUp(type, request, itemSource);
    if (method === 'POST' && verb === 'rollUp' && type === 'heart-rate') return respondToRollUp(request, itemSource);
    if (method !== 'GET' || id === undefined) return undefined;
    const matching = itemSource(type)
      .filter(isItem)
      .find(({ name }) => String(name).endsWith(`/${id}`));
    return matching ? jsonProviderResponse(matching) : errorResponse(404, 'NOT_FOUND', 'NOT_FOUND');
  },
  listItems: googleHealthItems,
  buildPushes: (account, days, { credentials }) => {
    const changed = days.flatMap(({ date, startMs, endMs }) =>
      ['steps', 'heart-rate', 'sleep', 'exercise'].map((dataType) => ({
        data: {
          version: '1',
          healthUserId: account,
          operation: 'UPSERT',
          dataType,
          intervals: [
            {
              physicalTimeInterval: {
                startTime: new Date(startMs).toISOString(),
                endTime: new Date(endMs).toISOString(),
              },
              civilIso8601TimeInterval: { startTime: `${date}T00:00:00`, endTime: `${date}T23:59:59` },
            },
          ],
        },
      })),
    );
    if (changed.length === 0) return [];
    return [
      {
        headers: {
          'content-type': 'application/json',
          authorization: credentials.more['subscriber_secret'] ?? '',
        },
        body: JSON.stringify(changed),
        secretPath: false,
      },
    ];
  },
};
