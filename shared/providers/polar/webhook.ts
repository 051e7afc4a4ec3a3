// A client's one webhook at Polar: found, woken when it was switched off, or made. Its key is told once, when it is made.
import * as z from 'zod';
import { dayMs } from '../../platform/time/local-day.ts';
import type { Subscribed, SubscriptionAsked } from '../kit/adapter.ts';
import { basicAuth, isOk, jsonIn, type Talk, Unexpected, type VendorRequest } from '../kit/vendor.ts';
import { polar } from './descriptor.ts';

const url = `${polar.apiUrl}/webhooks`;
const events = ['EXERCISE', 'SLEEP', 'ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE'];

const id = z.union([z.string().regex(/^[\w-]{1,64}$/), z.int().transform(String)]);
const Webhook = z.looseObject({ id, url: z.string().nullish(), active: z.boolean().nullish() });
const Found = z.looseObject({ data: z.union([z.array(Webhook), Webhook.transform((one) => [one])]).nullish() });
const Made = z.looseObject({ data: z.looseObject({ id, signature_secret_key: z.string().min(1) }) });

export function* polarWebhook({ credentials, callbackUrl, known, nowMs }: SubscriptionAsked): Talk<Subscribed> {
  const asClient = (request: VendorRequest): VendorRequest => ({
    ...request,
    headers: { accept: 'application/json', authorization: basicAuth(credentials) },
  });
  const againMs = nowMs + dayMs;

  const listing = yield asClient({ method: 'GET', url });
  const isNone = listing.status === 204 || listing.status === 404;
  const found = isNone ? [] : isOk(listing) ? Found.safeParse(jsonIn(listing)).data : undefined;
  if (!found) throw new Unexpected('Polar webhooks', listing);

  for (const webhook of Array.isArray(found) ? found : (found.data ?? [])) {
    const isKnown = webhook.id === known?.ids['client'];
    const isOurs = webhook.url === callbackUrl;
    if (isOurs && isKnown && known?.secret) {
      // After a week of failures it is switched off.
      if (webhook.active === false) {
        const woken = yield asClient({ method: 'POST', url: `${url}/activate` });
        if (!isOk(woken)) throw new Unexpected('Polar webhook', woken);
      }
      return { ...known, againMs };
    }
    if (!isOurs && !isKnown)
      throw new Unexpected('This Polar client has a webhook for another address; delete it there', listing);
    const gone = yield asClient({ method: 'DELETE', url: `${url}/${webhook.id}` });
    if (!isOk(gone) && gone.status !== 404) throw new Unexpected('Polar webhook', gone);
  }
  const making = yield asClient({ method: 'POST', url, json: { events, url: callbackUrl } });
  const made = isOk(making) ? Made.safeParse(jsonIn(making)).data?.data : undefined;
  if (!made) throw new Unexpected('Polar webhook', making);
  return { ids: { client: made.id }, secret: made.signature_secret_key, againMs };
}
