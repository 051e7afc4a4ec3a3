// The sandbox's vendor as Withings: everything is a POST with an action, answered with 200 and a status in the body.
import { type DataRequest, type ItemsOf, type VendorShapes, vendorJson } from './shapes.ts';
import { withingsLife } from './withings-life.ts';

/** Theirs are of up to 300; with fewer a month of days has two. */
const pageSize = 20;

const ok = (body: unknown) => vendorJson({ status: 0, body });
const refused = (status: number, error: string) => vendorJson({ status, body: {}, error });

const dayOf = (epochSeconds: unknown): string => new Date(Number(epochSeconds) * 1000).toISOString().slice(0, 10);
const dayBeside = (date: string, days: number): string => dayOf(Date.parse(date) / 1000 + days * 86_400);

interface Shape {
  list: string;
  /** `more` is a number in one of them. */
  more(isMore: boolean): unknown;
  touches(item: Item, form: DataRequest['form']): boolean;
}
type Item = Readonly<Record<string, unknown>>;

const byDate = ({ date }: Item, form: DataRequest['form']): boolean =>
  String(date) >= (form['startdateymd'] ?? '') && String(date) <= (form['enddateymd'] ?? '9999');
const byMoment = ({ date }: Item, form: DataRequest['form']): boolean =>
  Number(date) >= Number(form['startdate'] ?? 0) && Number(date) <= Number(form['enddate'] ?? 1e12);

const shapes: Readonly<Record<string, Shape & { resource: string }>> = {
  '/v2/measure getactivity': { resource: 'activity', list: 'activities', more: (is) => is, touches: byDate },
  '/v2/measure getworkouts': { resource: 'workouts', list: 'series', more: (is) => is, touches: byDate },
  '/v2/sleep getsummary': { resource: 'sleep', list: 'series', more: (is) => is, touches: byDate },
  '/measure getmeas': { resource: 'measures', list: 'measuregrps', more: (is) => (is ? 1 : 0), touches: byMoment },
};

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

function datesOf(form: DataRequest['form']): { from: string; to: string } | undefined {
  if (form['startdateymd'] && form['enddateymd']) return { from: form['startdateymd'], to: form['enddateymd'] };
  if (form['startdate'] && form['enddate'])
    return { from: dayBeside(dayOf(form['startdate']), -1), to: dayBeside(dayOf(form['enddate']), 1) };
  return undefined;
}

function listed(
  { resource, list, more, touches }: Shape & { resource: string },
  form: DataRequest['form'],
  of: ItemsOf,
) {
  // Days and a time of modification at once get an answer without anything in it.
  const all = form['lastupdate'] && datesOf(form) ? [] : of(resource, datesOf(form)).filter(isItem);
  const found = all.filter((item) => touches(item, form));
  const offset = Number(form['offset'] ?? 0);
  const page = found.slice(offset, offset + pageSize);
  const isMore = found.length > offset + pageSize;
  const zone = found.find((item) => typeof item['timezone'] === 'string')?.['timezone'];
  return ok({
    ...(resource === 'measures' ? { updatetime: 0, timezone: zone ?? 'UTC' } : {}),
    [list]: page,
    more: more(isMore),
    offset: isMore ? offset + pageSize : 0,
  });
}

/** Only of the first day of what is asked for, and a list when there is nothing. */
function intraday(form: DataRequest['form'], of: ItemsOf) {
  const start = Number(form['startdate']);
  const end = Math.min(Number(form['enddate']), start + 86_400);
  const moments = of('intraday', datesOf(form))
    .filter(isItem)
    .filter(({ at }) => Number(at) >= start && Number(at) < end);
  const series = Object.fromEntries(moments.map(({ at, ...measured }) => [String(at), measured]));
  return ok({ series: moments.length === 0 ? [] : series });
}

export const withingsShapes: VendorShapes = {
  tokens: ({ account, accessToken, refreshToken, expiresInSeconds, scopes }) =>
    ok({
      userid: Number(account),
      access_token: accessToken,
      refresh_token: refreshToken,
      scope: scopes.join(','),
      expires_in: expiresInSeconds,
      token_type: 'Bearer',
      csrf_token: 'none',
    }),
  deadToken: () => refused(503, 'Invalid Params'),
  badToken: () => refused(401, 'XRequestID: Not provided invalid_token: The access token provided is invalid'),
  answer({ method, path, form }, of) {
    if (method !== 'POST') return undefined;
    const action = form['action'] ?? '';
    const shape = shapes[`${path} ${action}`];
    if (shape) return listed(shape, form, of);
    if (path === '/v2/measure' && action === 'getintradayactivity') return intraday(form, of);
    if (path === '/notify' && action === 'list') return ok({ profiles: of('subscriptions') });
    if (path === '/notify' && action === 'subscribe')
      return form['callbackurl']?.startsWith('http') ? ok({}) : refused(293, 'Invalid callback URL');
    return undefined;
  },
  items: withingsLife,
  pushes: (account, days) =>
    days.flatMap(({ date, startMs, endMs, sleeps, weightKg }) => {
      const epoch = (ms: number) => String(Math.floor(ms / 1000));
      const span = { startdate: epoch(startMs), enddate: epoch(endMs) };
      const bodies = [
        { userid: account, appli: '16', date },
        ...sleeps.map((sleep) => ({
          userid: account,
          appli: '44',
          startdate: epoch(sleep.startMs),
          enddate: epoch(sleep.endMs),
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
