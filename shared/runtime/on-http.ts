// API Gateway's events (payload 2.0) in, its results out; in between the group's app sees plain web requests.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Deps } from '../domain/deps.ts';
import type { Api } from '../http/api.ts';
import { Failure } from '../model/failure.ts';
import { type Handler, lambda } from './lambda.ts';

export type HttpHandler = Handler<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

export const onHttp = (group: (deps: Deps) => Api): HttpHandler =>
  lambda((deps) => {
    const { app } = group(deps);
    return async (event) => {
      const origin = deps.place.baseUrl ?? `https://${event.requestContext.domainName}`;
      const facts = { requestId: event.requestContext.requestId, origin };
      const asked = asRequest(event, origin);
      return asResult(
        asked instanceof Failure
          ? await app.fetch(new Request(origin), { facts, unreadable: asked })
          : await app.fetch(asked, { facts }),
      );
    };
  });

function asRequest(event: APIGatewayProxyEventV2, origin: string): Request | Failure {
  const { method } = event.requestContext.http;
  const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
  const hasBody = event.body !== undefined && method !== 'GET' && method !== 'HEAD';
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(event.headers)) if (value !== undefined) headers.set(name, value);
    return new Request(new URL(`${origin}${encodedPath(event.rawPath)}${query}`), {
      method,
      headers,
      ...(hasBody ? { body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8') } : {}),
    });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return new Failure('invalid_request', `${method} with this path and these headers is no valid request.`, { cause });
  }
}

/** API Gateway hands the path over decoded, and as it came where it could not be decoded. */
const encodedPath = (path: string): string =>
  encodeURI(path.toWellFormed()).replaceAll('%25', '%').replaceAll('?', '%3F').replaceAll('#', '%23');

async function asResult(response: Response): Promise<APIGatewayProxyStructuredResultV2> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries(response.headers);
  const plain =
    headers['content-encoding'] === undefined && /^(text\/|application\/json)/.test(headers['content-type'] ?? 'text/');
  return {
    statusCode: response.status,
    headers,
    body: bytes.toString(plain ? 'utf8' : 'base64'),
    isBase64Encoded: !plain,
  };
}
