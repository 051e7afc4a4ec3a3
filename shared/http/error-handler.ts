// Turns any thrown error into a response: JSON for programs, a page for people.
import type { Context } from 'hono';
import { RateLimited } from '../system/admission.ts';
import type { ApiEnv } from './api-env.ts';
import { toFailure, toFailureResponse } from './failure-response.ts';

export function handleError(c: Context<ApiEnv>, error: unknown): Response {
  const failure = toFailure(error);
  if (failure instanceof RateLimited) c.set('bucket', failure.bucket);
  c.set('failure', failure);
  const { status, headers, body } = toFailureResponse(failure);
  const page = acceptsHtml(c) ? c.get('endpoint')?.failurePage?.(failure) : undefined;
  return page ? c.html(page.html, status, { ...headers, ...page.headers }) : c.json(body, status, headers);
}

/** Every browser accepts HTML. A weight of zero means that it is not wanted. */
export const acceptsHtml = (c: Pick<Context<ApiEnv>, 'req'>): boolean =>
  /text\/html(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(c.req.header('accept') ?? '');
