// Garmin's ping service: instead of the data it sends a URL from which the data can be fetched,
// once and with the user's token. Activity details arrive this way, because those of a few hours
// exceed the maximum size of a push.
import * as z from 'zod';
import type { FetchAdapter } from '../kit/adapter.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { isOk, parseResponseJson, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { garmin } from './descriptor.ts';
import { garminLists } from './items.ts';

const pathPrefix = '/wellness-api/rest/';
const CallbackQuery = z
  .object({
    uploadStartTimeInSeconds: z.string().regex(/^\d{1,12}$/),
    uploadEndTimeInSeconds: z.string().regex(/^\d{1,12}$/),
    token: z
      .string()
      .regex(/^[\w.~+/=-]{1,800}$/)
      .exactOptional(),
  })
  .strict();

interface Callback {
  path: string;
  query: z.infer<typeof CallbackQuery>;
}

const parseCallback = (path: string, search: string): Callback | undefined => {
  const query = CallbackQuery.safeParse(Object.fromEntries(new URLSearchParams(search))).data;
  return /^\w{1,64}$/.test(path) && query ? { path, query } : undefined;
};

const PingItem = z.looseObject({ callbackURL: z.string() });

/** Undefined if the item contains the data itself. */
export const readCallbackUrl = (item: unknown): string | undefined => PingItem.safeParse(item).data?.callbackURL;

/**
 * The part of a callback URL that is stored; undefined if the URL is not Garmin's own, because the
 * user's token is sent nowhere else.
 */
export function toGarminCallbackId(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || url.origin !== garmin.apiUrl || url.username || url.password) return undefined;
  if (!url.pathname.startsWith(pathPrefix)) return undefined;
  const path = url.pathname.slice(pathPrefix.length);
  return parseCallback(path, url.search) && `${path}${url.search}`;
}

const Details = z.looseObject({ samples: z.array(z.unknown()) });
const HeartRateSample = z.object({ startTimeInSeconds: z.number(), heartRate: z.number() });

/** Keeps only the heart rate of each sample, so that the user's location is not stored. */
function keepHeartRateOnly(item: unknown): unknown {
  const details = Details.safeParse(item).data;
  return details
    ? { ...details, samples: details.samples.flatMap((each) => HeartRateSample.safeParse(each).data ?? []) }
    : item;
}

const knownLists = new Set<string>(garminLists);

/**
 * Returns one page per item, like a push, because a URL may hold everything that a watch has
 * recorded in weeks.
 */
export const fetchGarminCallback: NonNullable<FetchAdapter['collect']> = function* ({
  resource,
  id,
}): RequestFlow<ProviderPage[]> {
  const [path = '', search = ''] = id.split('?');
  const callback = knownLists.has(resource) ? parseCallback(path, search) : undefined;
  if (!callback) return [];
  const response = yield { method: 'GET', url: `${garmin.apiUrl}${pathPrefix}${callback.path}`, query: callback.query };
  const items = isOk(response) ? z.array(z.unknown()).safeParse(parseResponseJson(response)).data : undefined;
  if (!items) throw new UnexpectedResponse(`Garmin ${resource}`, response);
  return items.map((item) => ({ resource: 'push', text: JSON.stringify({ [resource]: [keepHeartRateOnly(item)] }) }));
};
