// `c.json` for a body that may already be JSON text, as the large reads produce it.
import type { Context, TypedResponse } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JSONParsed } from 'hono/utils/types';
import { JsonText } from '../platform/json-text.ts';

export const respondWithJson = <T, Status extends ContentfulStatusCode>(
  // biome-ignore lint/suspicious/noExplicitAny: as in Hono's own helpers, the context of any route will do.
  c: Context<any>,
  body: T | JsonText<T>,
  status: Status,
): Response & TypedResponse<JSONParsed<T>, Status, 'json'> =>
  asTypedResponse(
    body instanceof JsonText
      ? c.body(body.text, status, { 'Content-Type': 'application/json' })
      : c.json(body as object, status),
  );

/** The cast is safe because a JsonText's text matches its type. */
const asTypedResponse = <T, Status extends ContentfulStatusCode>(response: Response) =>
  response as Response & TypedResponse<JSONParsed<T>, Status, 'json'>;
