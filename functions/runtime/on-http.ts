// Translates API Gateway events (payload 2.0) to requests and responses back to results, so that
// API groups see only standard Hono requests.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Api } from '../../shared/http/api.ts';
import { fitsAsText } from '../../shared/http/response-size.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { type Handler, lambda } from './lambda.ts';

export type HttpHandler = Handler<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

export const onHttp = (createApi: (deps: Deps) => Api): HttpHandler =>
  lambda((deps) => {
    const api = createApi(deps);
    return async (event) => {
      const origin = deps.deployment.baseUrl ?? `https://${event.requestContext.domainName}`;
      const { requestId, http } = event.requestContext;
      const bindings = { requestId, origin, address: http.sourceIp, body: () => decodeBody(event) };
      const request = toRequest(event, origin);
      return toResult(
        request instanceof Failure
          ? await api.fetch(new Request(origin), { ...bindings, parseFailure: request })
          : await api.fetch(request, bindings),
      );
    };
  });

const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** An event that cannot become a `Request` becomes a failure, which is answered like any other. */
function toRequest(event: APIGatewayProxyEventV2, origin: string): Request | Failure {
  const { method } = event.requestContext.http;
  // The URL parser would resolve dot segments, possibly to another user's path.
  if (dotSegment.test(event.rawPath)) return new Failure('not_found', `No such endpoint for ${method}. See /docs.`);
  const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
  try {
    const url = `${origin}${encodePath(event.rawPath)}${query}`;
    const headers = toHeaders(event);
    if (forbiddenMethods.has(method)) return withMethod(new Request(url, { headers }), method);
    return new Request(url, { method, headers });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return new Failure('invalid_request', `The path or a header of this ${method} request is not valid.`, { cause });
  }
}

/**
 * A `Request` cannot be constructed with these methods, but the API must still respond that its
 * paths do not allow them.
 */
const forbiddenMethods = new Set(['CONNECT', 'TRACE', 'TRACK']);

const withMethod = (request: Request, method: string): Request =>
  Object.defineProperty(request, 'method', { value: method });

/** API Gateway passes the path decoded, or as received if it cannot be decoded. */
const encodePath = (path: string): string =>
  encodeURI(path.toWellFormed()).replaceAll('%25', '%').replaceAll('?', '%3F').replaceAll('#', '%23');

function toHeaders({ headers, cookies }: APIGatewayProxyEventV2): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(entries), ...(cookies ? { cookie: cookies.join('; ') } : {}) };
}

const decodeBody = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2) =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

async function toResult(response: Response): Promise<APIGatewayProxyStructuredResultV2> {
  const { status: statusCode } = response;
  const { 'set-cookie': _joinedCookies, ...headers } = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = fitsAsText(bytes, response.headers);
  return {
    statusCode,
    headers,
    ...(cookies.length > 0 ? { cookies } : {}),
    body: bytes.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: !isText,
  };
}
