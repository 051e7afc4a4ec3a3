// Manages the one push subscription that a Strava application can have: finds or creates it.
import * as z from 'zod';
import { dayMs } from '../../platform/time/local-day.ts';
import type { SubscriptionRequest, SubscriptionState } from '../kit/adapter.ts';
import { isOk, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { strava } from './descriptor.ts';
import { parseExactJson, StravaId } from './exact-json.ts';

const url = `${strava.apiUrl}/push_subscriptions`;
const Subscription = z.looseObject({ id: StravaId, callback_url: z.string().nullish() });

export function* ensureStravaSubscription(requested: SubscriptionRequest): RequestFlow<SubscriptionState> {
  const { credentials, callbackUrl, verificationToken, known, nowMs } = requested;
  const client = { client_id: credentials.clientId, client_secret: credentials.clientSecret };
  // Every push contains this id. A push with a different id is not for us.
  const toState = (id: string): SubscriptionState => ({ ids: { app: id }, secret: id, renewMs: nowMs + dayMs });

  const listResponse = yield { method: 'GET', url, query: client };
  const subscriptions = isOk(listResponse)
    ? z.array(Subscription).safeParse(parseExactJson(listResponse.text)).data
    : undefined;
  if (!subscriptions) throw new UnexpectedResponse('Strava push subscriptions', listResponse);
  const own = subscriptions.find((each) => each.callback_url === callbackUrl);
  if (own) return toState(own.id);
  for (const { id } of subscriptions) {
    if (id !== known?.ids['app'])
      throw new UnexpectedResponse(
        'This Strava application has a push subscription for another URL; delete it at Strava',
        listResponse,
      );
    const deleteResponse = yield { method: 'DELETE', url: `${url}/${id}`, query: client };
    if (!isOk(deleteResponse) && deleteResponse.status !== 404)
      throw new UnexpectedResponse('Strava push subscription', deleteResponse);
  }
  const form = { ...client, callback_url: callbackUrl, verify_token: verificationToken };
  const createResponse = yield { method: 'POST', url, form };
  const created = isOk(createResponse) ? Subscription.safeParse(parseExactJson(createResponse.text)).data : undefined;
  if (!created) throw new UnexpectedResponse('Strava push subscription', createResponse);
  return toState(created.id);
}
