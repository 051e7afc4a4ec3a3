// A request as API Gateway passes it to a function, and a function's result as the caller reads it.
import type { ApiResponse, RequestOptions } from '../../harness/send-request.ts';

/** Many phones send the same body, so it is serialized once. */
const bodyTexts = new WeakMap<object, string>();
function bodyText(body: unknown): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const text = bodyTexts.get(body) ?? JSON.stringify(body);
  bodyTexts.set(body, text);
  return text;
}

export function requestEvent(method: string, path: string, { token, body, headers = {} }: RequestOptions = {}): object {
  const { pathname, search } = new URL(path, 'http://test');
  return {
    version: '2.0',
    rawPath: decodeURIComponent(pathname),
    rawQueryString: search.slice(1),
    headers: {
      host: 'test',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    requestContext: {
      ...{ domainName: 'test', requestId: 'scale' },
      http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
    },
    ...(body === undefined ? {} : { body: bodyText(body) }),
    isBase64Encoded: false,
  };
}

interface HttpResult {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Safe, because HTTP functions return this shape. */
export function parseResponse(result: unknown): ApiResponse {
  const { statusCode, headers = {}, body: text = '' } = result as HttpResult;
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return {
    status: statusCode,
    headers: new Headers(headers),
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
