// The host's public port: emulates API Gateway's HTTP API in front of the functions.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock, Log } from '../../shared/platform/ports.ts';
import { Failure } from '../../shared/system/failure.ts';
import { FixableError } from '../fixable-error.ts';
import type { Activity } from './activity.ts';
import { closeAfterLinger } from './close-after-linger.ts';
import { isPortTaken } from './engines/port.ts';
import { FunctionTimedOut, type Run } from './function-runner.ts';
import { toGatewayResponse } from './gateway-failure.ts';
import { buildHttpEvent, type GatewayResponse, parseFunctionResult, parseTarget } from './http-event.ts';
import { type BodyRejection, createIncomingBodies, type IncomingBodies, isRejected } from './incoming-bodies.ts';
import type { HostRequest } from './local-request.ts';
import {
  answerConnect,
  answerMalformedRequest,
  expectationResponse,
  findHostProblem,
  isAnsweredAsMalformed,
} from './malformed-requests.ts';
import type { RouteMatch } from './router.ts';

export interface Gateway {
  port: number;
  baseUrl: string;
  /** Starts responding. Earlier requests have waited until now. */
  serve(site: Site): void;
  /** Accepts no new requests, and returns when the current ones have been answered. */
  close(): Promise<void>;
}

export interface Site {
  route(path: string): RouteMatch | undefined;
  run: Run;
  clock: Clock;
  log: Log;
  activity: Activity;
  /** Responses that the host itself gives before any function runs. */
  respondFromHost?(visitor: HostRequest): GatewayResponse | undefined | Promise<GatewayResponse | undefined>;
}

export class PortTaken extends FixableError {}

const maxBodyBytes = 10 * 1024 * 1024;
const graceMilliseconds = 3_000;
/**
 * For requests without credentials, except pushes: providers authenticate with a signature over the
 * whole body.
 */
const maxUnauthenticatedBodyBytes = 1024 * 1024;
const pushPathPattern = /^\/v1\/providers\/[a-z_]+\/push(\/|\?|$)/;
/** Binds the port first, so that a port conflict is known before anything else starts. */
export async function openGateway(port: number, address?: string): Promise<Gateway> {
  let serve: (site: Site) => void = () => {};
  let cancel: (reason: Error) => void = () => {};
  const sitePromise = new Promise<Site>((resolve, reject) => {
    serve = resolve;
    cancel = reject;
  });
  // A host that fails to start closes its gateway. Without a waiting request, nothing else would
  // handle this rejection.
  sitePromise.catch(() => {});

  let closing = false;
  const servers: Server[] = [];
  const bodies = createIncomingBodies();
  const newServer = () => {
    const server = createServer(serverOptions, (request, response) => {
      response.once('close', () => {
        if (closing) setImmediate(() => server.closeIdleConnections());
      });
      // Only the connection itself can fail here: the caller left, or the host is closing. Nobody
      // is left to respond to.
      handleRequest(request, response, sitePromise, bodies).catch(() => {
        if (!isAnsweredAsMalformed(request.socket)) response.destroy();
      });
    });
    server.on('clientError', answerMalformedRequest);
    server.on('checkExpectation', (_request, response) => send(response, expectationResponse()));
    server.on('connect', (_request, socket) => answerConnect(socket));
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
      cancel(new Error('the host stopped before it was ready'));
      await Promise.all(servers.map(closeServer));
    },
  };
}

/** Wildcard addresses can be listened on but not called. */
const wildcardAddresses = new Set(['0.0.0.0', '::']);

/** `localhost` resolves to either one, depending on the client. */
const loopbackAddresses = ['127.0.0.1', '::1'] as const;

async function listen(server: Server, port: number, address: string): Promise<{ server: Server; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(toListenError(error, port, address));
    });
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the gateway has no port');
  return { server, port: bound.port };
}

function toListenError(error: NodeJS.ErrnoException, port: number, address: string): Error {
  if (isPortTaken(error))
    return new PortTaken(`Port ${port} is already in use. Choose another: PORT=${port + 1} npm start`, {
      cause: error,
    });
  if (error.code === 'EACCES')
    return new FixableError(`You may not listen on port ${port}. Choose another: PORT=8787 npm start`, {
      cause: error,
    });
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new FixableError(`DAYBOOK_ADDRESS is ${address}, which is not an address of this machine.`, {
      cause: error,
    });
  return error;
}

/** Returns false on a machine without IPv6, where no client uses that address either. */
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

// Keeps connections open as long as API Gateway does, and waits as long. With Node's default of
// five seconds, a busy caller would hit sockets that are just being closed.
// Without a Host header, Node would respond with an empty body; `findHostProblem` checks it.
const serverOptions = {
  keepAliveTimeout: 75_000,
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  requireHostHeader: false,
};

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
      send(response, result);
      if (!request.complete) closeAfterLinger(request.socket, request);
    });
  } finally {
    if (!isRejected(body)) body.release();
  }
}

function send(response: ServerResponse, { status, headers, body }: GatewayResponse): void {
  const hasNoBody = status === 204 || status === 304;
  response.writeHead(status, { ...headers, ...(hasNoBody ? {} : { 'content-length': body.length }) });
  response.end(hasNoBody ? undefined : body);
}

/** The request line can name a host too. */
function readHosts({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const [, hostInUrl] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return [...(headersDistinct['host'] ?? []), ...(hostInUrl === undefined ? [] : [hostInUrl])];
}

async function respond(request: IncomingMessage, body: Buffer, site: Site): Promise<GatewayResponse> {
  const hostProblem = findHostProblem(request);
  if (hostProblem) return toGatewayResponse(hostProblem);
  const path = request.url ?? '/';
  // Parsed by hand: resolved as a URL reference, a path that starts with two slashes would name a
  // host.
  const target = parseTarget(path);
  const { method, headers, socket } = request;
  const hostResponse =
    target &&
    (await site.respondFromHost?.({
      method,
      path: target.path,
      headers,
      hosts: readHosts(request),
      httpVersion: request.httpVersion,
      remoteAddress: socket.remoteAddress,
      localPort: socket.localPort,
    }));
  if (hostResponse) return hostResponse;
  const match = target && site.route(target.path);
  if (!target || !match) return toGatewayResponse(notFoundFailure);
  try {
    return parseFunctionResult(
      await site.run(match.functionName, buildHttpEvent(request, target, body, match, site.clock.now())),
    );
  } catch (error) {
    site.log('error', 'request_failed', {
      function: match.functionName,
      route: match.routeKey,
      cause: error,
    });
    return toGatewayResponse(error instanceof FunctionTimedOut ? timeoutFailure : internalFailure);
  }
}

const notFoundFailure = new Failure('not_found', 'No such endpoint. See /docs.');
const internalFailure = new Failure(
  'internal_error',
  'Something went wrong on our end. Include the X-Request-Id when you contact support.',
);
/**
 * If the table does not respond, a function runs past its timeout. The table may be back a moment
 * later.
 */
const timeoutFailure = new Failure('unavailable', 'The request took too long. Try again in a moment.', {
  retryAfterSeconds: 1,
});
const slowBodyFailure = new Failure('unavailable', 'The body took too long to arrive. Try again in a moment.', {
  retryAfterSeconds: 1,
});
const overloadFailure = new Failure('unavailable', 'Too much data is being sent at once. Try again in a few seconds.', {
  retryAfterSeconds: 5,
});

/**
 * The rest of a rejected body is discarded as it arrives, so that its sender can read the response.
 */
function rejectedBodyResponse(rejection: BodyRejection, maxBytes: number): GatewayResponse {
  if (rejection === 'too_long')
    return toGatewayResponse(new Failure('payload_too_large', `The body must not exceed ${maxBytes} bytes.`));
  return toGatewayResponse(rejection === 'too_slow' ? slowBodyFailure : overloadFailure);
}

/**
 * The limit of the route, if it takes a body. Unauthenticated requests also have a general limit.
 */
function maxBytesFor({ method = '', headers, url = '' }: IncomingMessage, site: Site): number {
  const isUnauthenticated = headers.authorization === undefined && !pushPathPattern.test(url);
  const target = parseTarget(url);
  const routeMaxBytes = target && site.route(target.path)?.maxBodyBytes?.get(method);
  return Math.min(isUnauthenticated ? maxUnauthenticatedBodyBytes : maxBodyBytes, routeMaxBytes ?? maxBodyBytes);
}
