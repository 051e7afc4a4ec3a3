// How Google's APIs say what is wrong.
import * as z from 'zod';
import { type ProviderResponse, parseResponseJson } from '../kit/request-flow.ts';

const ApiError = z.looseObject({
  error: z.looseObject({
    status: z.string().nullish(),
    details: z.array(z.looseObject({ reason: z.string().nullish() })).nullish(),
  }),
});

function readReasons(response: ProviderResponse): string[] {
  const details = ApiError.safeParse(parseResponseJson(response)).data?.error.details ?? [];
  return details.flatMap(({ reason }) => reason ?? []);
}

/** The person has not ticked this part. Any other 403 is something else: an API that is switched off, for one. */
export const isScopeMissing = (response: ProviderResponse): boolean =>
  response.status === 403 && readReasons(response).includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT');

/** A Google account without a profile at Google Health. It may get one. */
export const isNotLinked = (response: ProviderResponse): boolean =>
  response.status === 400 && readReasons(response).includes('ACCOUNT_NOT_LINKED');
