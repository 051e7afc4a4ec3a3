// A local endpoint that speaks JSON as an AWS service does, for services that no package emulates.
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Log } from '../../shared/platform/ports.ts';

export interface LocalEndpoint {
  url: string;
  close(): Promise<void>;
}

export interface ServiceCall {
  /** The method and path. */
  operation: string;
  headers: IncomingHttpHeaders;
  text: string;
}
export interface ServiceResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export async function openLocalEndpoint(
  name: string,
  log: Log,
  respond: (call: ServiceCall) => Promise<ServiceResponse>,
): Promise<LocalEndpoint> {
  const respondTo = async (request: IncomingMessage): Promise<ServiceResponse> =>
    respond({
      operation: `${request.method} ${request.url}`,
      headers: request.headers,
      text: Buffer.concat(await request.toArray()).toString('utf8'),
    });
  // An idle connection stays open, as long as its client wants: a client that is not allowed to
  // repeat a request would fail on a connection that closes in the same moment.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    respondTo(request).then(
      ({ status, body, headers }) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', ...headers });
        response.end(JSON.stringify(body));
      },
      (error) => {
        log('error', 'endpoint_request_failed', { endpoint: name, cause: error });
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`${name} has no port`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
