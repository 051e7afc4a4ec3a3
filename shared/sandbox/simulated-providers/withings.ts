// Simulates Withings: every request is a POST with an action, answered with 200 and a status in the
// body.
import { type DataRequest, type ItemSource, jsonProviderResponse, type ProviderSimulator } from './simulator.ts';
import { withingsItems } from './withings-items.ts';

/** Withings' pages have up to 300 items. With fewer, a month of days takes two pages. */
const pageSize = 20;

const successResponse = (body: unknown) => jsonProviderResponse({ status: 0, body });
const errorResponse = (status: number, error: string) => jsonProviderResponse({ status, body: {}, error });

const toDate = (epochSeconds: unknown): string => new Date(Number(epochSeconds) * 1000).toISOString().slice(0, 10);
const shiftDate = (date: string, days: number): string => toDate(Date.parse(date) / 1000 + days * 86_400);

interface ListEndpoint {
  list: string;
  /** One of the endpoints returns a number. */
  renderMore(hasMore: boolean): unknown;
  matches(item: Item, form: DataRequest['form']): boolean;
}
type Item = Readonly<Record<string, unknown>>;

const matchesDate = ({ date }: Item, form: DataRequest['form']): boolean =>
  String(date) >= (form['startdateymd'] ?? '') && String(date) <= (form['enddateymd'] ?? '9999');
const matchesMoment = ({ date }: Item, form: DataRequest['form']): boolean =>
  Number(date) >= Number(form['startdate'] ?? 0) && Number(date) <= Number(form['enddate'] ?? 1e12);

const listEndpoints: Readonly<Record<string, ListEndpoint & { resource: string }>> = {
  '/v2/measure getactivity': {
    resource: 'activity',
    list: 'activities',
    renderMore: (hasMorePages) => hasMorePages,
    matches: matchesDate,
  },
  '/v2/measure getworkouts': {
    resource: 'workouts',
    list: 'series',
    renderMore: (hasMorePages) => hasMorePages,
    matches: matchesDate,
  },
  '/v2/sleep getsummary': {
    resource: 'sleep',
    list: 'series',
    renderMore: (hasMorePages) => hasMorePages,
    matches: matchesDate,
  },
  '/measure getmeas': {
    resource: 'measures',
    list: 'measuregrps',
    renderMore: (hasMorePages) => (hasMorePages ? 1 : 0),
    matches: matchesMoment,
  },
};

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

function readDates(form: DataRequest['form']): { from: string; to: string } | undefined {
  if (form['startdateymd'] && form['enddateymd']) return { from: form['startdateymd'], to: form['enddateymd'] };
  if (form['startdate'] && form['enddate'])
    return { from: shiftDate(toDate(form['startdate']), -1), to: shiftDate(toDate(form['enddate']), 1) };
  return undefined;
}

function respondWithList(
  { resource, list, renderMore, matches }: ListEndpoint & { resource: string },
  form: DataRequest['form'],
  itemSource: ItemSource,
) {
  // A request with both dates and a modification time gets an empty response.
  const all = form['lastupdate'] && readDates(form) ? [] : itemSource(resource, readDates(form)).filter(isItem);
  const matching = all.filter((item) => matches(item, form));
  const offset = Number(form['offset'] ?? 0);
  const page = matching.slice(offset, offset + pageSize);
  const hasMore = matching.length > offset + pageSize;
  const zone = matching.find((item) => typeof item['timezone'] === 'string')?.['timezone'];
  return successResponse({
    ...(resource === 'measures' ? { updatetime: 0, timezone: zone ?? 'UTC' } : {}),
    [list]: page,
    more: renderMore(hasMore),
    offset: hasMore ? offset + pageSize : 0,
  });
}

/** Answers only the first day of the requested range, and with a list if there is no data. */
function respondWithIntraday(form: DataRequest['form'], itemSource: ItemSource) {
  const start = Number(form['startdate']);
  const end = Math.min(Number(form['enddate']), start + 86_400);
  const moments = itemSource('intraday', readDates(form))
    .filter(isItem)
    .filter(({ at }) => Number(at) >= start && Number(at) < end);
  const series = Object.fromEntries(moments.map(({ at, ...measured }) => [String(at), measured]));
  return successResponse({ series: moments.length === 0 ? [] : series });
}

/** Answers only the first day of the requested range. */
function respondWithStages(form: DataRequest['form'], itemSource: ItemSource) {
  const start = Number(form['startdate']);
  const end = Math.min(Number(form['enddate']), start + 86_400);
  const series = itemSource('stages', readDates(form))
    .filter(isItem)
    .filter(({ startdate, enddate }) => Number(startdate) < end && Number(enddate) > start);
  return successResponse({ series, model: 16 });
}

export const withingsSimulator: ProviderSimulator = {
  renderTokens: ({ account, accessToken, refreshToken, expiresInSeconds, scopes }) =>
    successResponse({
      userid: Number(account),
      access_token: accessToken,
      refresh_token: refreshToken,
      scope: scopes.join(','),
      expires_in: expiresInSeconds,
      token_type: 'Bearer',
      csrf_token: 'none',
    }),
  renderInvalidGrant: () => errorResponse(503, 'Invalid Params'),
  renderInvalidAccessToken: () =>
    errorResponse(401, 'XRequestID: Not provided invalid_token: The access token provided is invalid'),
  respond({ method, path, form }, itemSource) {
    if (method !== 'POST') return undefined;
    const action = form['action'] ?? '';
    const endpoint = listEndpoints[`${path} ${action}`];
    if (endpoint) return respondWithList(endpoint, form, itemSource);
    if (path === '/v2/measure' && action === 'getintradayactivity') return respondWithIntraday(form, itemSource);
    if (path === '/v2/sleep' && action === 'get') return respondWithStages(form, itemSource);
    if (path === '/notify' && action === 'list') return successResponse({ profiles: itemSource('subscriptions') });
    if (path === '/notify' && action === 'subscribe')
      return form['callbackurl']?.startsWith('http') ? successResponse({}) : errorResponse(293, 'Invalid callback URL');
    return undefined;
  },
  listItems: withingsItems,
  buildPushes: (account, days) =>
    days.flatMap(({ date, startMs, endMs, sleeps, weightKg }) => {
      const toEpochSeconds = (ms: number) => String(Math.floor(ms / 1000));
      const span = { startdate: toEpochSeconds(startMs), enddate: toEpochSeconds(endMs) };
      const bodies = [
        { userid: account, appli: '16', date },
        ...sleeps.map((sleep) => ({
          userid: account,
          appli: '44',
          startdate: toEpochSeconds(sleep.startMs),
          enddate: toEpochSeconds(sleep.endMs),
        })),
        ...(weightKg === null ? [] : [{ userid: account, appli: '1', ...span }]),
      ];
      return bodies.map((body) => ({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(body).toString(),
        secretPath: true,
      }));
    }),
};
