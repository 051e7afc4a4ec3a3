// What the steps after a response share: reading its body, and putting another in its place.
import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** A response can be read once, so whoever reads it also replaces it. */
export const readResponse = async (response: Response): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await response.arrayBuffer());

export function replaceResponse(
  c: Context<ApiEnv>,
  body: Uint8Array<ArrayBuffer> | null,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): void {
  const response = new Response(body, { status, headers });
  clearResponse(c);
  c.res = response;
}

/** Otherwise Hono would copy the headers of the previous response to the next one. */
export function clearResponse(c: Context<ApiEnv>): void {
  c.res = undefined;
}
