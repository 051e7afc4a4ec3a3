// Reads the error reasons in the responses of Google's APIs.
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

/**
 * The user has not granted this scope. Any other 403 has a different cause, such as a disabled API.
 */
export const isScopeMissing = (response: ProviderResponse): boolean =>
  response.status === 403 && readReasons(response).includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT');

/** The Google account has no Google Health profile. It may get one later. */
export const isNotLinked = (response: ProviderResponse): boolean =>
  response.status === 400 && readReasons(response).includes('ACCOUNT_NOT_LINKED');
