// How Google's APIs say what is wrong.
import * as z from 'zod';
import { jsonIn, type VendorReply } from '../kit/vendor.ts';

const ApiError = z.looseObject({
  error: z.looseObject({
    status: z.string().nullish(),
    details: z.array(z.looseObject({ reason: z.string().nullish() })).nullish(),
  }),
});

function reasonsIn(reply: VendorReply): string[] {
  const details = ApiError.safeParse(jsonIn(reply)).data?.error.details ?? [];
  return details.flatMap(({ reason }) => reason ?? []);
}

/** The person has not ticked this part. Any other 403 is something else: an API that is switched off, for one. */
export const isScopeMissing = (reply: VendorReply): boolean =>
  reply.status === 403 && reasonsIn(reply).includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT');

/** A Google account without a profile at Google Health. It may get one. */
export const isNotLinked = (reply: VendorReply): boolean =>
  reply.status === 400 && reasonsIn(reply).includes('ACCOUNT_NOT_LINKED');
