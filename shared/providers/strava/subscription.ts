// An application's one push subscription at Strava: found, or made.
import * as z from 'zod';
import { dayMs } from '../../platform/time/local-day.ts';
import type { Subscribed, SubscriptionAsked } from '../kit/adapter.ts';
import { isOk, type Talk, Unexpected } from '../kit/vendor.ts';
import { strava } from './descriptor.ts';
import { exactJson, StravaId } from './exact-json.ts';

const url = `${strava.apiUrl}/push_subscriptions`;
const Subscription = z.looseObject({ id: StravaId, callback_url: z.string().nullish() });

export function* stravaSubscription(asked: SubscriptionAsked): Talk<Subscribed> {
  const { credentials, callbackUrl, verificationToken, known, nowMs } = asked;
  const client = { client_id: credentials.clientId, client_secret: credentials.clientSecret };
  // Every push names it: one that names another is not for us.
  const standing = (id: string): Subscribed => ({ ids: { app: id }, secret: id, againMs: nowMs + dayMs });

  const listing = yield { method: 'GET', url, query: client };
  const found = isOk(listing) ? z.array(Subscription).safeParse(exactJson(listing.text)).data : undefined;
  if (!found) throw new Unexpected('Strava push subscriptions', listing);
  const ours = found.find((each) => each.callback_url === callbackUrl);
  if (ours) return standing(ours.id);
  for (const { id } of found) {
    if (id !== known?.ids['app'])
      throw new Unexpected(
        'This Strava application has a push subscription for another address; delete it there',
        listing,
      );
    const gone = yield { method: 'DELETE', url: `${url}/${id}`, query: client };
    if (!isOk(gone) && gone.status !== 404) throw new Unexpected('Strava push subscription', gone);
  }
  const form = { ...client, callback_url: callbackUrl, verify_token: verificationToken };
  const making = yield { method: 'POST', url, form };
  const made = isOk(making) ? Subscription.safeParse(exactJson(making.text)).data : undefined;
  if (!made) throw new Unexpected('Strava push subscription', making);
  return standing(made.id);
}
