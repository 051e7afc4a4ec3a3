// Manages the one webhook that a Polar client can have: finds, reactivates or creates it. Polar
// discloses its key only once, when it is created.
import * as z from 'zod';
import { dayMs } from '../../platform/time/local-day.ts';
import type { SubscriptionRequest, SubscriptionState } from '../kit/adapter.ts';
import {
  basicAuthHeader,
  isOk,
  type ProviderRequest,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { polar } from './descriptor.ts';

const url = `${polar.apiUrl}/webhooks`;
const events = ['EXERCISE', 'SLEEP', 'ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE'];

const id = z.union([z.string().regex(/^[\w-]{1,64}$/), z.int().transform(String)]);
const Webhook = z.looseObject({ id, url: z.string().nullish(), active: z.boolean().nullish() });
const ListResponse = z.looseObject({ data: z.union([z.array(Webhook), Webhook.transform((one) => [one])]).nullish() });
const CreateResponse = z.looseObject({ data: z.looseObject({ id, signature_secret_key: z.string().min(1) }) });

export function* ensurePolarWebhook({
  credentials,
  callbackUrl,
  known,
  nowMs,
}: SubscriptionRequest): RequestFlow<SubscriptionState> {
  const withClientAuth = (request: ProviderRequest): ProviderRequest => ({
    ...request,
    headers: { accept: 'application/json', authorization: basicAuthHeader(credentials) },
  });
  const renewMs = nowMs + dayMs;

  const listResponse = yield withClientAuth({ method: 'GET', url });
  const isNone = listResponse.status === 204 || listResponse.status === 404;
  const existing = isNone
    ? []
    : isOk(listResponse)
      ? ListResponse.safeParse(parseResponseJson(listResponse)).data
      : undefined;
  if (!existing) throw new UnexpectedResponse('Polar webhooks', listResponse);

  for (const webhook of Array.isArray(existing) ? existing : (existing.data ?? [])) {
    const isKnown = webhook.id === known?.ids['client'];
    const isOurs = webhook.url === callbackUrl;
    if (isOurs && isKnown && known?.secret) {
      // Polar deactivates a webhook after a week of failures.
      if (webhook.active === false) {
        const activateResponse = yield withClientAuth({ method: 'POST', url: `${url}/activate` });
        if (!isOk(activateResponse)) throw new UnexpectedResponse('Polar webhook', activateResponse);
      }
      return { ...known, renewMs };
    }
    if (!isOurs && !isKnown)
      throw new UnexpectedResponse('This Polar client has a webhook for another URL; delete it at Polar', listResponse);
    const deleteResponse = yield withClientAuth({ method: 'DELETE', url: `${url}/${webhook.id}` });
    if (!isOk(deleteResponse) && deleteResponse.status !== 404)
      throw new UnexpectedResponse('Polar webhook', deleteResponse);
  }
  const createResponse = yield withClientAuth({ method: 'POST', url, json: { events, url: callbackUrl } });
  const created = isOk(createResponse)
    ? CreateResponse.safeParse(parseResponseJson(createResponse)).data?.data
    : undefined;
  if (!created) throw new UnexpectedResponse('Polar webhook', createResponse);
  return { ids: { client: created.id }, secret: created.signature_secret_key, renewMs };
}
