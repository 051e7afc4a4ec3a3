// API Gateway's events (payload 2.0) in, its results out; in between the group's kit sees plain messages.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Deps } from '../domain/deps.ts';
import type { Api } from '../http/api.ts';
import { headersOf, type Incoming, type Outgoing } from '../http/message.ts';
import { Failure } from '../model/failure.ts';
import { type Handler, lambda } from './lambda.ts';

export type HttpHandler = Handler<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

export const onHttp = (group: (deps: Deps) => Api): HttpHandler =>
  lambda((deps) => {
    const api = group(deps);
    return async (event) => {
      const origin = deps.place.baseUrl ?? `https://${event.requestContext.domainName}`;
      const { requestId, http } = event.requestContext;
      const facts = { requestId, origin, address: http.sourceIp };
      const url = urlOf(event, origin);
      const unreadable = url instanceof Failure ? { unreadable: url } : {};
      return asResult(await api.answer(asked(event, url instanceof Failure ? origin : url), { facts, ...unreadable }));
    };
  });

function asked(event: APIGatewayProxyEventV2, url: string): Incoming {
  return {
    method: event.requestContext.http.method,
    url,
    headers: headersOf(event.headers),
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

function urlOf(event: APIGatewayProxyEventV2, origin: string): string | Failure {
  const { method } = event.requestContext.http;
  // The URL parser would walk them, to another user's path.
  if (dotSegment.test(event.rawPath))
    return new Failure('not_found', `There is no ${method} with this path here: see /docs.`);
  const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
  try {
    return new URL(`${origin}${encodedPath(event.rawPath)}${query}`).href;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return new Failure('invalid_request', `${method} with this path is no valid request.`, { cause });
  }
}

/** API Gateway hands the path over decoded, and as it came where it could not be decoded. */
const encodedPath = (path: string): string =>
  encodeURI(path.toWellFormed()).replaceAll('%25', '%').replaceAll('?', '%3F').replaceAll('#', '%23');

function asResult({ status, headers: given, body }: Outgoing): APIGatewayProxyStructuredResultV2 {
  const bytes = Buffer.from(body ?? []);
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const plain =
    headers['content-encoding'] === undefined && /^(text\/|application\/json)/.test(headers['content-type'] ?? 'text/');
  return {
    statusCode: status,
    headers,
    body: bytes.toString(plain ? 'utf8' : 'base64'),
    isBase64Encoded: !plain,
  };
}
