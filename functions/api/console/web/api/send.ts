// Sends the console's requests: with the session's cookie and the environment, and with the tag of
// the last response, so that polling costs a 304 when nothing has changed.
import { environment } from '../address/address.ts';

interface TaggedResponse {
  etag: string;
  text: string;
  headers: Headers;
}

const maxTaggedResponses = 60;
const taggedResponses = new Map<string, TaggedResponse>();

export const environmentHeader = 'Daybook-Environment';

/** The `fetch` of every client. */
export async function send(request: Request): Promise<Response> {
  const env = request.headers.get(environmentHeader) ?? environment.peek();
  request.headers.set(environmentHeader, env);
  if (request.method !== 'GET') return fetch(request);
  const key = `${env} ${request.url}`;
  const tagged = taggedResponses.get(key);
  if (tagged) request.headers.set('If-None-Match', tagged.etag);
  const response = await fetch(request);
  if (response.status === 304 && tagged) return new Response(tagged.text, { headers: tagged.headers });
  const etag = response.headers.get('ETag');
  if (!response.ok || etag === null) return response;
  const text = await response.text();
  taggedResponses.delete(key);
  taggedResponses.set(key, { etag, text, headers: response.headers });
  const [oldest] = taggedResponses.keys();
  if (taggedResponses.size > maxTaggedResponses && oldest !== undefined) taggedResponses.delete(oldest);
  return new Response(text, { status: response.status, headers: response.headers });
}

/** Another colleague may sign in next. */
export const forgetResponses = (): void => taggedResponses.clear();
