// An HTTP request as the event that API Gateway sends to a function, and the function's result as
// an HTTP response.
import type { ApiResponse, RequestOptions } from './send-request.ts';

/** Many phones send the same body, so each object is serialized once. */
const bodyTexts = new WeakMap<object, string>();
function serializeBody(body: unknown): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const text = bodyTexts.get(body) ?? JSON.stringify(body);
  bodyTexts.set(body, text);
  return text;
}

export function buildHttpEvent(
  method: string,
  path: string,
  { token, body, raw, headers = {} }: RequestOptions,
  requestId: string,
): object {
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
      domainName: 'test',
      requestId,
      http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
    },
    ...(raw === undefined && body === undefined ? {} : { body: raw?.toString() ?? serializeBody(body) }),
    isBase64Encoded: false,
  };
}

interface HttpResult {
  statusCode: number;
  headers?: Record<string, string>;
  cookies?: string[];
  body?: string;
}
/** Safe, because HTTP functions return this shape. */
const asHttpResult = (result: unknown): HttpResult => result as HttpResult;

export function parseHttpResult(result: unknown): ApiResponse {
  const { statusCode, headers = {}, cookies = [], body: text = '' } = asHttpResult(result);
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return {
    status: statusCode,
    headers: new Headers([
      ...Object.entries(headers),
      ...cookies.map((cookie) => ['set-cookie', cookie] as [string, string]),
    ]),
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
