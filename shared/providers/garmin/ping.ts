// Garmin's ping service: in place of the data it sends an address where the data can be fetched,
// once and with the person's token. Activity details come this way, because those of some hours are
// larger than a push that can be received.
import * as z from 'zod';
import type { FetchRules } from '../kit/adapter.ts';
import type { VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, type Talk, Unexpected } from '../kit/vendor.ts';
import { garmin } from './descriptor.ts';
import { garminLists } from './items.ts';

const pathPrefix = '/wellness-api/rest/';
const Query = z
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
  query: z.infer<typeof Query>;
}

const callbackOf = (path: string, search: string): Callback | undefined => {
  const query = Query.safeParse(Object.fromEntries(new URLSearchParams(search))).data;
  return /^\w{1,64}$/.test(path) && query ? { path, query } : undefined;
};

const Pinged = z.looseObject({ callbackURL: z.string() });

/** Undefined for an item that is the data itself. */
export const callbackUrlIn = (item: unknown): string | undefined => Pinged.safeParse(item).data?.callbackURL;

/**
 * What is noted of an address; undefined where it is not Garmin's own: the person's token goes
 * nowhere else.
 */
export function garminCallbackId(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || url.origin !== garmin.apiUrl || url.username || url.password) return undefined;
  if (!url.pathname.startsWith(pathPrefix)) return undefined;
  const path = url.pathname.slice(pathPrefix.length);
  return callbackOf(path, url.search) && `${path}${url.search}`;
}

const Details = z.looseObject({ samples: z.array(z.unknown()) });
const Beat = z.object({ startTimeInSeconds: z.number(), heartRate: z.number() });

/** Of each second only what is read of it: not where the person was. */
function withoutCourse(item: unknown): unknown {
  const details = Details.safeParse(item).data;
  return details ? { ...details, samples: details.samples.flatMap((each) => Beat.safeParse(each).data ?? []) } : item;
}

const lists = new Set<string>(garminLists);

/**
 * As pages of a push, one for each item: an address may hold all that a watch has gathered in
 * weeks.
 */
export const collectGarmin: NonNullable<FetchRules['collect']> = function* ({ resource, id }): Talk<VendorPage[]> {
  const [path = '', search = ''] = id.split('?');
  const callback = lists.has(resource) ? callbackOf(path, search) : undefined;
  if (!callback) return [];
  const reply = yield { method: 'GET', url: `${garmin.apiUrl}${pathPrefix}${callback.path}`, query: callback.query };
  const items = isOk(reply) ? z.array(z.unknown()).safeParse(jsonIn(reply)).data : undefined;
  if (!items) throw new Unexpected(`Garmin ${resource}`, reply);
  return items.map((item) => ({ resource: 'push', text: JSON.stringify({ [resource]: [withoutCourse(item)] }) }));
};
