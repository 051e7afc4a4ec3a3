// How this vendor answers: HTTP 200 to nearly everything, and in the body a status of its own, which is zero when all is well.
import * as z from 'zod';
import type { ReplyMeaning } from '../kit/grant.ts';
import { isOk, jsonIn, Unexpected, type VendorReply } from '../kit/vendor.ts';

const Envelope = z.looseObject({
  status: z.number(),
  body: z.unknown().optional(),
  error: z.string().nullish().catch(null),
});
export type WithingsEnvelope = z.infer<typeof Envelope>;

/** Undefined where the answer is none of theirs: an outage, or a gateway's page. */
export const withingsEnvelope = (reply: VendorReply): WithingsEnvelope | undefined =>
  isOk(reply) ? Envelope.safeParse(jsonIn(reply)).data : undefined;

const unauthenticated = new Set([100, 101, 102, 200, 401]);
const notAllowed = new Set([214, 277, 2553, 2554, 2555]);

export const isUnauthenticated = ({ status }: WithingsEnvelope): boolean => unauthenticated.has(status);
export const isNotAllowed = ({ status }: WithingsEnvelope): boolean => notAllowed.has(status);

export function withingsMeaning(reply: VendorReply): ReplyMeaning | undefined {
  const envelope = withingsEnvelope(reply);
  if (!envelope) return undefined;
  if (isUnauthenticated(envelope)) return 'expired';
  if (envelope.status === 601) return 'too_many';
  return envelope.status === 522 ? 'away' : undefined;
}

/** Says the status in the body, where there is one. */
export const withingsUnexpected = (what: string, reply: VendorReply): Unexpected =>
  new Unexpected(`Withings ${what}`, { ...reply, status: withingsEnvelope(reply)?.status ?? reply.status });
