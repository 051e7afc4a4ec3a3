// Withings' response format: HTTP 200 for nearly everything, and a status in the body that is zero
// on success.
import * as z from 'zod';
import type { ResponseClass } from '../kit/grant.ts';
import { isOk, type ProviderResponse, parseResponseJson, UnexpectedResponse } from '../kit/request-flow.ts';

const Envelope = z.looseObject({
  status: z.number(),
  body: z.unknown().optional(),
  error: z.string().nullish().catch(null),
});
export type WithingsEnvelope = z.infer<typeof Envelope>;

/** Undefined if the response is not from Withings' API: an outage, or a page of a gateway. */
export const parseWithingsEnvelope = (response: ProviderResponse): WithingsEnvelope | undefined =>
  isOk(response) ? Envelope.safeParse(parseResponseJson(response)).data : undefined;

const unauthenticatedStatuses = new Set([100, 101, 102, 200, 401]);
const notAllowedStatuses = new Set([214, 277, 2553, 2554, 2555]);

export const isUnauthenticated = ({ status }: WithingsEnvelope): boolean => unauthenticatedStatuses.has(status);
export const isNotAllowed = ({ status }: WithingsEnvelope): boolean => notAllowedStatuses.has(status);

export function classifyWithingsResponse(response: ProviderResponse): ResponseClass | undefined {
  const envelope = parseWithingsEnvelope(response);
  if (!envelope) return undefined;
  if (isUnauthenticated(envelope)) return 'expired';
  if (envelope.status === 601) return 'too_many';
  return envelope.status === 522 ? 'away' : undefined;
}

/** Reports the status in the body, if there is one. */
export const toWithingsError = (what: string, response: ProviderResponse): UnexpectedResponse =>
  new UnexpectedResponse(`Withings ${what}`, {
    ...response,
    status: parseWithingsEnvelope(response)?.status ?? response.status,
  });
