// Oura tells about a kind of document only where it was asked to, and forgets about it after some three months.
import * as z from 'zod';
import type { Subscribed, SubscriptionAsked, SubscriptionRules } from '../kit/adapter.ts';
import { isOk, jsonIn, type Talk, Unexpected, type VendorRequest } from '../kit/vendor.ts';
import { readInstant } from '../phone/read-time.ts';
import { oura } from './descriptor.ts';

/** What is told about; heart rate is not. */
export const ouraDataTypes = ['sleep', 'daily_activity', 'daily_spo2', 'workout', 'session', 'vo2_max'] as const;
const eventTypes = ['create', 'update', 'delete'] as const;

const base = `${oura.apiUrl}/v2/webhook/subscription`;
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

interface Wanted {
  event_type: string;
  data_type: string;
}

function* ofDeployment(asked: SubscriptionAsked): Talk<Subscribed> {
  const existing = yield* listed(asked);
  const ids: Record<string, string> = {};
  let againMs = asked.nowMs + renewBeforeMs;
  for (const data_type of ouraDataTypes)
    for (const event_type of eventTypes) {
      const kept = yield* subscribed({ event_type, data_type }, existing, asked);
      if (kept) ids[`${event_type} ${data_type}`] = kept.id;
      const expiresMs = expiryOf(kept) ?? asked.nowMs + renewBeforeMs;
      againMs = Math.min(againMs, kept ? expiresMs - renewBeforeMs / 2 : asked.nowMs + dayMs);
    }
  return { ids, againMs: Math.max(againMs, asked.nowMs + dayMs) };
}

function* listed(asked: SubscriptionAsked): Talk<Subscription[]> {
  const reply = yield { method: 'GET', url: base, headers: client(asked) };
  const list = isOk(reply) ? z.array(z.unknown()).safeParse(jsonIn(reply)).data : undefined;
  if (!list) throw new Unexpected('Oura subscriptions', reply);
  return list.flatMap((each) => Subscription.safeParse(each).data ?? []);
}

/** Undefined where somebody else has it, so that it cannot be had. */
function* subscribed(
  wanted: Wanted,
  existing: readonly Subscription[],
  asked: SubscriptionAsked,
): Talk<Subscription | undefined> {
  const same = existing.filter(
    ({ event_type, data_type }) => event_type === wanted.event_type && data_type === wanted.data_type,
  );
  const own = same.find(({ callback_url }) => callback_url === asked.callbackUrl);
  if (!own) return yield* made(wanted, same[0], asked);
  const expiresMs = expiryOf(own);
  if (expiresMs !== undefined && expiresMs - asked.nowMs > renewBeforeMs) return own;
  const reply = yield { method: 'PUT', url: `${base}/renew/${own.id}`, headers: client(asked) };
  if (reply.status === 403 || reply.status === 404) return yield* made(wanted, undefined, asked);
  if (!isOk(reply)) throw new Unexpected('Oura renewal of a subscription', reply);
  return Subscription.safeParse(jsonIn(reply)).data ?? own;
}

function* made(
  wanted: Wanted,
  elsewhere: Subscription | undefined,
  asked: SubscriptionAsked,
): Talk<Subscription | undefined> {
  const json = { callback_url: asked.callbackUrl, verification_token: asked.verificationToken, ...wanted };
  const request = (method: 'POST' | 'PUT', url: string): VendorRequest => ({
    method,
    url,
    headers: client(asked),
    json,
  });
  let reply = yield request('POST', base);
  // There is one of its kind already, at an address that this deployment had before.
  if (reply.status === 409 && elsewhere) reply = yield request('PUT', `${base}/${elsewhere.id}`);
  if (reply.status === 409) return undefined;
  const subscription = isOk(reply) ? Subscription.safeParse(jsonIn(reply)).data : undefined;
  if (!subscription) throw new Unexpected('Oura subscription', reply);
  return subscription;
}

const client = ({ credentials }: SubscriptionAsked): Record<string, string> => ({
  'x-client-id': credentials.clientId,
  'x-client-secret': credentials.clientSecret,
});

/** Written without an offset, it is UTC. */
function expiryOf(subscription: Subscription | undefined): number | undefined {
  const text = subscription?.expiration_time;
  return text ? (readInstant(text) ?? readInstant(`${text}Z`))?.ms : undefined;
}

export const ouraSubscriptions: SubscriptionRules = { ofDeployment };
