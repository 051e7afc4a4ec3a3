// Oura pushes a document type only while a subscription for it exists, and a subscription expires
// after about three months.
import * as z from 'zod';
import type { SubscriptionAdapter, SubscriptionRequest, SubscriptionState } from '../kit/adapter.ts';
import {
  isOk,
  type ProviderRequest,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { readInstant } from '../phone/read-time.ts';
import { oura } from './descriptor.ts';

/** The document types that can be subscribed to; heart rate is not one of them. */
export const ouraDataTypes = ['sleep', 'daily_activity', 'daily_spo2', 'workout', 'session', 'vo2_max'] as const;
const eventTypes = ['create', 'update', 'delete'] as const;

const subscriptionsUrl = `${oura.apiUrl}/v2/webhook/subscription`;
const dayMs = 86_400_000;
const renewBeforeMs = 30 * dayMs;

const Subscription = z.looseObject({
  id: z.string().regex(/^[\w-]{1,128}$/),
  callback_url: z.string().nullish(),
  event_type: z.string().nullish(),
  data_type: z.string().nullish(),
  expiration_time: z.string().nullish(),
});
type Subscription = z.infer<typeof Subscription>;

interface SubscriptionTopic {
  event_type: string;
  data_type: string;
}

function* ensureForDeployment(requested: SubscriptionRequest): RequestFlow<SubscriptionState> {
  const existing = yield* listSubscriptions(requested);
  const ids: Record<string, string> = {};
  let renewMs = requested.nowMs + renewBeforeMs;
  for (const data_type of ouraDataTypes)
    for (const event_type of eventTypes) {
      const current = yield* ensureSubscription({ event_type, data_type }, existing, requested);
      if (current) ids[`${event_type} ${data_type}`] = current.id;
      const expiresMs = parseExpiry(current) ?? requested.nowMs + renewBeforeMs;
      renewMs = Math.min(renewMs, current ? expiresMs - renewBeforeMs / 2 : requested.nowMs + dayMs);
    }
  return { ids, renewMs: Math.max(renewMs, requested.nowMs + dayMs) };
}

function* listSubscriptions(requested: SubscriptionRequest): RequestFlow<Subscription[]> {
  const response = yield { method: 'GET', url: subscriptionsUrl, headers: clientHeaders(requested) };
  const list = isOk(response) ? z.array(z.unknown()).safeParse(parseResponseJson(response)).data : undefined;
  if (!list) throw new UnexpectedResponse('Oura subscriptions', response);
  return list.flatMap((each) => Subscription.safeParse(each).data ?? []);
}

/** Undefined if another application holds the subscription, so that it cannot be created. */
function* ensureSubscription(
  topic: SubscriptionTopic,
  existing: readonly Subscription[],
  requested: SubscriptionRequest,
): RequestFlow<Subscription | undefined> {
  const matching = existing.filter(
    ({ event_type, data_type }) => event_type === topic.event_type && data_type === topic.data_type,
  );
  const own = matching.find(({ callback_url }) => callback_url === requested.callbackUrl);
  if (!own) return yield* createSubscription(topic, matching[0], requested);
  const expiresMs = parseExpiry(own);
  if (expiresMs !== undefined && expiresMs - requested.nowMs > renewBeforeMs) return own;
  const response = yield {
    method: 'PUT',
    url: `${subscriptionsUrl}/renew/${own.id}`,
    headers: clientHeaders(requested),
  };
  if (response.status === 403 || response.status === 404) return yield* createSubscription(topic, undefined, requested);
  if (!isOk(response)) throw new UnexpectedResponse('Oura subscription renewal', response);
  return Subscription.safeParse(parseResponseJson(response)).data ?? own;
}

function* createSubscription(
  topic: SubscriptionTopic,
  conflicting: Subscription | undefined,
  requested: SubscriptionRequest,
): RequestFlow<Subscription | undefined> {
  const json = { callback_url: requested.callbackUrl, verification_token: requested.verificationToken, ...topic };
  const request = (method: 'POST' | 'PUT', url: string): ProviderRequest => ({
    method,
    url,
    headers: clientHeaders(requested),
    json,
  });
  let response = yield request('POST', subscriptionsUrl);
  // A subscription of this type exists already, at a previous URL of this deployment.
  if (response.status === 409 && conflicting) response = yield request('PUT', `${subscriptionsUrl}/${conflicting.id}`);
  if (response.status === 409) return undefined;
  const subscription = isOk(response) ? Subscription.safeParse(parseResponseJson(response)).data : undefined;
  if (!subscription) throw new UnexpectedResponse('Oura subscription', response);
  return subscription;
}

const clientHeaders = ({ credentials }: SubscriptionRequest): Record<string, string> => ({
  'x-client-id': credentials.clientId,
  'x-client-secret': credentials.clientSecret,
});

/** A time without an offset is in UTC. */
function parseExpiry(subscription: Subscription | undefined): number | undefined {
  const text = subscription?.expiration_time;
  return text ? (readInstant(text) ?? readInstant(`${text}Z`))?.ms : undefined;
}

export const ouraSubscriptions: SubscriptionAdapter = { ensureForDeployment };
