// Reads the responses of this service. Their types are generated from its OpenAPI documents, and
// the tests compare every response with them.
import type { components as OwnComponents } from '../../console/web/api/generated/console.d.ts';
import type { components } from '../../console/web/api/generated/v1.d.ts';

export type ApiSchemas = components['schemas'];
export type ConsoleApiSchemas = OwnComponents['schemas'];

/** Throws the API's own sentence if it refused. */
export async function readJson<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(findErrorMessage(text) ?? `The service responded with ${response.status}.`);
}

/** Undefined if the text is not the body of an error: a proxy may have sent it. */
export function findErrorMessage(text: string): string | undefined {
  const body = parseJson(text);
  const isError = typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
  return isError ? String(body.message) : undefined;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
