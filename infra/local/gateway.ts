// The host's one public port: plays API Gateway's HTTP API in front of the functions.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { toFailureResponse } from '../../shared/http/failure-response.ts';
import { browserHeaders, buildRateLimitHeaders } from '../../shared/http/response-headers.ts';
import type { Clock, Log } from '../../shared/platform/ports.ts';
import { Failure } from '../../shared/system/failure.ts';
import type { Activity } from './activity.ts';
import { isPortTaken } from './engines/port.ts';
import { FunctionTimedOut, type Run } from './function-runner.ts';
import { buildHttpEvent, type GatewayResponse, parseFunctionResult, parseTarget } from './http-event.ts';
import { type BodyRejection, createIncomingBodies, type IncomingBodies, isRejected } from './incoming-bodies.ts';
import type { MailboxRequest } from './mailbox-page.ts';
import type { RouteMatch } from './router.ts';

export interface Gateway {
  port: number;
  baseUrl: string;
  /** Begins to answer; requests that came earlier have waited. */
  serve(site: Site): void;
  /** Takes no new requests and returns when those under way are answered. */
  close(): Promise<void>;
}

export interface Site {
  route(path: string): RouteMatch | undefined;
  run: Run;
  clock: Clock;
  log: Log;
  activity: Activity;
  /** What the host itself answers, before any function is asked. */
  respondFromHost?(visitor: MailboxRequest): GatewayResponse | undefined;
}

export class PortTaken extends Error {}

const maxBodyBytes = 10 * 1024 * 1024;
const graceMilliseconds = 3_000;
/** Of whoever shows no credential, and is no vendor: those show who they are by a signature over the whole. */
const maxUnauthenticatedBodyBytes = 1024 * 1024;
const pushPathPattern = /^\/v1\/providers\/[a-z_]+\/push(\/|\?|$)/;
/**
 * For the rest of a body that was answered before it was complete: so long its sender has time to
 * see the answer.
 */
const lingerMilliseconds = 5_000;

/** Takes the port first, so that a port in use is known before anything else is started. */
export async function openGateway(port: number, address?: string): Promise<Gateway> {
  let serve: (site: Site) => void = () => {};
  let cancel: (reason: Error) => void = () => {};
  const sitePromise = new Promise<Site>((resolve, reject) => {
    serve = resolve;
    cancel = reject;
  });
  // A host that fails to start closes its gateway; without a waiting request nobody else hears of it.
  sitePromise.catch(() => {});

  let closing = false;
  const servers: Server[] = [];
  const bodies = createIncomingBodies();
  const newServer = () => {
    const server = createServer(serverOptions, (request, response) => {
      response.once('close', () => {
        if (closing) setImmediate(() => server.closeIdleConnections());
      });
      // What fails here is the connection itself: the caller left, or the host is closing. There is nobody to answer.
      handleRequest(request, response, sitePromise, bodies).catch(() => response.destroy());
    });
    server.on('clientError', answerMalformedRequest);
    return server;
  };
  const [first, ...others] = address ? [address] : loopbackAddresses;
  const bound = await listen(newServer(), port, first);
  servers.push(bound.server);
  for (const other of others) {
    const server = newServer();
    if (await tryListen(server, bound.port, other)) servers.push(server);
  }
  return {
    port: bound.port,
    baseUrl: `http://${address && !wildcardAddresses.has(address) ? address : 'localhost'}:${bound.port}`,
    serve,
    async close() {
      closing = true;
      cancel(new Error('the host stopped before it served'));
      await Promise.all(servers.map(closeServer));
    },
  };
}

/** Listening on all of a machine's addresses is none to call. */
const wildcardAddresses = new Set(['0.0.0.0', '::']);

/** `localhost` is one or the other, depending on who asks. */
const loopbackAddresses = ['127.0.0.1', '::1'] as const;

async function listen(server: Server, port: number, address: string): Promise<{ server: Server; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        isPortTaken(error)
          ? new PortTaken(`Port ${port} is taken. Choose another: PORT=${port + 1} npm start`, { cause: error })
          : error,
      );
    });
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the gateway has no port');
  return { server, port: bound.port };
}

/** False on a machine without IPv6, where nobody will ask for it either. */
async function tryListen(server: Server, port: number, address: string): Promise<boolean> {
  try {
    await listen(server, port, address);
    return true;
  } catch (error) {
    if (error instanceof PortTaken) throw error;
    return false;
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

// As API Gateway keeps connections (with Node's own five seconds a busy caller meets sockets that are just being closed), and as long as it waits.
const serverOptions = { keepAliveTimeout: 75_000, requestTimeout: 30_000, headersTimeout: 10_000 };

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  sitePromise: Promise<Site>,
  bodies: IncomingBodies,
): Promise<void> {
  const site = await sitePromise;
  const body = await bodies.read(request, maxBytesFor(request, site));
  try {
    await site.activity.track(async () => {
      const result = isRejected(body)
        ? rejectedBodyResponse(body, maxBytesFor(request, site))
        : await respond(request, body.bytes, site);
      const { status, headers, body: text } = result;
      const hasNoBody = status === 204 || status === 304;
      response.writeHead(status, { ...headers, ...(hasNoBody ? {} : { 'content-length': text.length }) });
      response.end(hasNoBody ? undefined : text);
      if (!request.complete) closeAfterLinger(request);
    });
  } finally {
    if (!isRejected(body)) body.release();
  }
}

function closeAfterLinger(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds).unref();
  request.once('close', () => clearTimeout(timer));
}

/** A request line may name a host too. */
function readHosts({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const [, hostInUrl] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return [...(headersDistinct['host'] ?? []), ...(hostInUrl === undefined ? [] : [hostInUrl])];
}

async function respond(request: IncomingMessage, body: Buffer, site: Site): Promise<GatewayResponse> {
  const path = request.url ?? '/';
  // Put together by hand: resolved as a reference, a path that begins with two slashes would name a host.
  const target = parseTarget(path);
  const { method, headers, socket } = request;
  const hostResponse =
    target &&
    site.respondFromHost?.({
      method,
      path: target.path,
      headers,
      hosts: readHosts(request),
      httpVersion: request.httpVersion,
      remoteAddress: socket.remoteAddress,
    });
  if (hostResponse) return hostResponse;
  const match = target && site.route(target.path);
  if (!target || !match) return toGatewayResponse(notFoundFailure);
  try {
    return parseFunctionResult(
      await site.run(match.functionName, buildHttpEvent(request, target, body, match, site.clock.now())),
    );
  } catch (error) {
    site.log('error', 'a function failed on a request', {
      function: match.functionName,
      route: match.routeKey,
      error,
    });
    return toGatewayResponse(error instanceof FunctionTimedOut ? timeoutFailure : internalFailure);
  }
}

const notFoundFailure = new Failure('not_found', 'No such endpoint. See /docs.');
const internalFailure = new Failure(
  'internal_error',
  'Something went wrong on our end. Include the X-Request-Id when you contact support.',
);
/** A table that does not answer keeps a function longer than it may run; it may be back a moment later. */
const timeoutFailure = new Failure('unavailable', 'The request took too long. Try again in a moment.', {
  retryAfterSeconds: 1,
});
const slowBodyFailure = new Failure('unavailable', 'The body took too long to arrive. Try again in a moment.', {
  retryAfterSeconds: 1,
});
const overloadFailure = new Failure('unavailable', 'Too much data is being sent at once. Try again in a few seconds.', {
  retryAfterSeconds: 5,
});

/** What the gateway answers itself has the body of every other failure. (On AWS, API Gateway has words of its own for these.) */
function toGatewayResponse(failure: Failure): GatewayResponse {
  const { status, headers, body } = toFailureResponse(failure);
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...browserHeaders,
      ...headers,
      ...buildRateLimitHeaders(undefined),
      ...browserHeaders,
      'X-Request-Id': randomUUID(),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

const malformedRequestStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const malformedRequestFailure = new Failure('invalid_request', 'This is not a valid HTTP request.');

/** What Node cannot read as a request gets the body of every other failure. */
function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = malformedRequestStatuses[error.code ?? ''] ?? 400;
  const { headers, body } = toGatewayResponse(malformedRequestFailure);
  const lines = Object.entries({ ...headers, 'Content-Length': body.length, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), body]));
}

/**
 * The rest of a body that is refused is dropped as it comes, so that its sender gets to see the
 * answer.
 */
function rejectedBodyResponse(rejection: BodyRejection, maxBytes: number): GatewayResponse {
  if (rejection === 'too_long')
    return toGatewayResponse(new Failure('payload_too_large', `The body must not exceed ${maxBytes} bytes.`));
  return toGatewayResponse(rejection === 'too_slow' ? slowBodyFailure : overloadFailure);
}

/** What its route takes, where it takes a body; and of a stranger no more than that of any. */
function maxBytesFor({ method = '', headers, url = '' }: IncomingMessage, site: Site): number {
  const isUnauthenticated = headers.authorization === undefined && !pushPathPattern.test(url);
  const target = parseTarget(url);
  const routeMaxBytes = target && site.route(target.path)?.maxBodyBytes?.get(method);
  return Math.min(isUnauthenticated ? maxUnauthenticatedBodyBytes : maxBodyBytes, routeMaxBytes ?? maxBodyBytes);
}
