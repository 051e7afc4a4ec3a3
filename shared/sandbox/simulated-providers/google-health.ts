// The sandbox's vendor as Google Health: totals and averages made from points, and points filtered as Google filters them.

import { googleHealthLife } from './google-health-life.ts';
import { type DataRequest, type ItemsOf, type VendorShapes, vendorJson } from './shapes.ts';

/** Sessions come in no more than 25; with fewer a fortnight of nights has two pages. */
const sessionsAPage = 10;
const sessionTypes = new Set(['sleep', 'exercise']);

const refused = (code: number, status: string, reason: string) =>
  vendorJson({ error: { code, status, message: status, details: [{ reason }] } }, code);

type Item = Readonly<Record<string, unknown>>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;
const within = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isItem(inner) ? inner[name] : undefined), value);

const fieldOf = (type: string): string => type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const two = (value: unknown): string => String(value ?? 0).padStart(2, '0');
const civilDate = (date: unknown): string =>
  `${within(date, 'year')}-${two(within(date, 'month'))}-${two(within(date, 'day'))}`;

/** Instants in one precision; days and wall clocks as they are. */
const sortable = (text: string): string => (text.endsWith('Z') ? new Date(Date.parse(text)).toISOString() : text);

/** What the filter compares: a date, an instant or a wall clock, in texts that sort. */
function comparedBy(type: string, path: string, item: Item): string {
  const value = item[fieldOf(type)];
  if (path === 'date') return civilDate(within(value, 'date'));
  if (path === 'sample_time.physical_time') return sortable(String(within(value, 'sampleTime', 'physicalTime')));
  if (path === 'interval.end_time') return sortable(String(within(value, 'interval', 'endTime')));
  if (path === 'interval.start_time') return sortable(String(within(value, 'interval', 'startTime')));
  const start = within(value, 'interval', 'civilStartTime');
  const time = within(start, 'time');
  return `${civilDate(within(start, 'date'))}T${two(within(time, 'hours'))}:${two(within(time, 'minutes'))}:${two(within(time, 'seconds'))}`;
}

const filterText = /^(\w+)\.([\w.]+) >= "([^"]+)" AND \1\.\2 < "([^"]+)"$/;

function reconciled(type: string, { query }: DataRequest, of: ItemsOf) {
  const [, name, path = '', from = '', before = ''] = filterText.exec(query['filter'] ?? '') ?? [];
  if (name !== type.replaceAll('-', '_')) return refused(400, 'INVALID_ARGUMENT', 'INVALID_FILTER');
  if (type === 'sleep' && path !== 'interval.end_time') return refused(400, 'INVALID_ARGUMENT', 'INVALID_FILTER');
  const dates = { from: beside(from, -1), to: beside(before, 1) };
  const found = of(type, dates)
    .filter(isItem)
    .filter((item) => {
      const compared = comparedBy(type, path, item);
      return compared >= sortable(from) && compared < sortable(before);
    })
    .map(({ name: known, dataSource: _, ...item }) => (known === undefined ? item : { dataPointName: known, ...item }));
  const start = Number(query['pageToken'] ?? 0);
  const asked = Number(query['pageSize'] ?? 50);
  const size = sessionTypes.has(type) ? Math.min(asked, sessionsAPage) : asked;
  const page = found.slice(start, start + size);
  // The last page may be an empty object.
  if (page.length === 0) return vendorJson({});
  return vendorJson({
    dataPoints: page,
    ...(found.length > start + size ? { nextPageToken: String(start + size) } : {}),
  });
}

const beside = (text: string, days: number): string =>
  new Date(Date.parse(text.slice(0, 10)) + days * 86_400_000).toISOString().slice(0, 10);

/** Civil days from the first to before the last. */
function dailyTotals(type: string, { json }: DataRequest, of: ItemsOf) {
  const [from, before] = ['start', 'end'].map((end) => civilDate(within(json, 'range', end, 'date')));
  if (from === undefined || before === undefined || (Date.parse(before) - Date.parse(from)) / 86_400_000 > 14)
    return refused(400, 'INVALID_ARGUMENT', 'RANGE_TOO_LONG');
  const points = of(`daily:${type}`, { from, to: beside(before, -1) })
    .filter(isItem)
    .filter((item) => {
      const date = civilDate(within(item, 'civilStartTime', 'date'));
      return date >= from && date < before;
    });
  return vendorJson(points.length === 0 ? {} : { rollupDataPoints: points });
}

/** Averages over stretches of the asked length, of those that have a beat. */
function averages({ json }: DataRequest, of: ItemsOf) {
  const [startMs, endMs] = ['startTime', 'endTime'].map((name) => Date.parse(String(within(json, 'range', name))));
  const stepMs = Number.parseInt(String(within(json, 'windowSize')), 10) * 1000;
  if (startMs === undefined || endMs === undefined || !(endMs - startMs <= 14 * 86_400_000))
    return refused(400, 'INVALID_ARGUMENT', 'RANGE_TOO_LONG');
  const stretches = new Map<number, number[]>();
  const day = (ms: number) => new Date(ms).toISOString();
  for (const item of of('heart-rate', { from: beside(day(startMs), -1), to: beside(day(endMs), 1) })) {
    const ms = Date.parse(String(within(item, 'heartRate', 'sampleTime', 'physicalTime')));
    if (!(ms >= startMs && ms < endMs)) continue;
    const at = startMs + Math.floor((ms - startMs) / stepMs) * stepMs;
    stretches.set(at, [...(stretches.get(at) ?? []), Number(within(item, 'heartRate', 'beatsPerMinute'))]);
  }
  const points = [...stretches].map(([at, beats]) => ({
    startTime: new Date(at).toISOString(),
    endTime: new Date(at + stepMs).toISOString(),
    heartRate: {
      beatsPerMinuteAvg: beats.reduce((sum, each) => sum + each, 0) / beats.length,
      beatsPerMinuteMin: Math.min(...beats),
      beatsPerMinuteMax: Math.max(...beats),
    },
  }));
  return vendorJson(points.length === 0 ? {} : { rollupDataPoints: points });
}

const operation = /^\/v4\/users\/me\/dataTypes\/([a-z0-9-]+)\/dataPoints(?::(\w+)|\/([\w-]+))$/;

export const googleHealthShapes: VendorShapes = {
  answer(request, of) {
    const { method, path, account } = request;
    if (method === 'GET' && path === '/v4/users/me/identity') return vendorJson({ healthUserId: account });
    if (method === 'GET' && path === '/v4/users/me/settings') {
      const today = new Date(request.nowMs).toISOString().slice(0, 10);
      return vendorJson(of('settings', { from: beside(today, -1), to: today }).at(-1) ?? {});
    }
    const [, type = '', verb, id] = operation.exec(path) ?? [];
    if (method === 'GET' && verb === 'reconcile') return reconciled(type, request, of);
    if (method === 'POST' && verb === 'dailyRollUp') return dailyTotals(type, request, of);
    if (method === 'POST' && verb === 'rollUp' && type === 'heart-rate') return averages(request, of);
    if (method !== 'GET' || id === undefined) return undefined;
    const found = of(type)
      .filter(isItem)
      .find(({ name }) => String(name).endsWith(`/${id}`));
    return found ? vendorJson(found) : refused(404, 'NOT_FOUND', 'NOT_FOUND');
  },
  items: googleHealthLife,
  pushes: (account, days, { credentials }) => {
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
