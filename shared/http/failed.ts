// Turns whatever was thrown into the answer that its caller gets: JSON for programs, a page for people.
import type { Context } from 'hono';
import { RateLimited } from '../system/admission.ts';
import { asFailure, failureAnswer } from './failure-answer.ts';
import type { KitEnv } from './kit-env.ts';

export function failed(c: Context<KitEnv>, error: unknown): Response {
  const failure = asFailure(error);
  if (failure instanceof RateLimited) c.set('bucket', failure.bucket);
  c.set('failure', failure);
  const { status, headers, body } = failureAnswer(failure);
  const page = asksForPage(c) ? c.get('endpoint')?.failurePage?.(failure) : undefined;
  return page ? c.html(page.html, status, { ...headers, ...page.headers }) : c.json(body, status, headers);
}

/** As every browser does. */
const asksForPage = (c: Context<KitEnv>): boolean => c.req.header('accept')?.includes('text/html') ?? false;
