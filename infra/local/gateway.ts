// The host's one public port: plays API Gateway's HTTP API in front of the functions.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { forBrowsers, limitHeaders } from '../../shared/http/answer-headers.ts';
import { failureAnswer } from '../../shared/http/failure-answer.ts';
import type { Clock, Log } from '../../shared/platform/ports.ts';
import { Failure } from '../../shared/system/failure.ts';
import type { Activity } from './activity.ts';
import { isPortTaken } from './engines/port.ts';
import { FunctionTimedOut, type Run } from './function-runner.ts';
import { type HttpAnswer, httpAnswer, httpEvent, targetOf } from './http-event.ts';
import { type IncomingBodies, incomingBodies, isRefused, type RefusedBody } from './incoming-bodies.ts';
import type { Visitor } from './mailbox-page.ts';
import type { Match } from './routing.ts';

export interface Gateway {
  port: number;
  baseUrl: string;
  /** Begins to answer; requests that came earlier have waited. */
  serve(site: Site): void;
  /** Takes no new requests and returns when those under way are answered. */
  close(): Promise<void>;
}

export interface Site {
  route(path: string): Match | undefined;
  run: Run;
  clock: Clock;
  log: Log;
  activity: Activity;
  /** What the host itself answers, before any function is asked. */
  ofHost?(visitor: Visitor): HttpAnswer | undefined;
}

export class PortTaken extends Error {}

const mostBodyBytes = 10 * 1024 * 1024;
const graceMilliseconds = 3_000;
/** Of whoever shows no credential, and is no vendor: those show who they are by a signature over the whole. */
const mostBodyBytesOfStrangers = 1024 * 1024;
const ofVendors = /^\/v1\/providers\/[a-z_]+\/push(\/|\?|$)/;
/**
 * For the rest of a body that was answered before it was complete: so long its sender has time to
 * see the answer.
 */
const lingerMilliseconds = 5_000;

/** Takes the port first, so that a port in use is known before anything else is started. */
export async function openGateway(port: number, address?: string): Promise<Gateway> {
  let serve: (site: Site) => void = () => {};
  let cancel: (reason: Error) => void = () => {};
  const opened = new Promise<Site>((resolve, reject) => {
    serve = resolve;
    cancel = reject;
  });
  // A host that fails to start closes its gateway; without a waiting request nobody else hears of it.
  opened.catch(() => {});

  let closing = false;
  const servers: Server[] = [];
  const bodies = incomingBodies();
  const newServer = () => {
    const server = createServer(serverOptions, (request, response) => {
      response.once('close', () => {
        if (closing) setImmediate(() => server.closeIdleConnections());
      });
      // What fails here is the connection itself: the caller left, or the host is closing. There is nobody to answer.
      answer(request, response, opened, bodies).catch(() => response.destroy());
    });
    server.on('clientError', answerUnreadable);
    return server;
  };
  const [first, ...others] = address ? [address] : thisMachine;
  const bound = await listening(newServer(), port, first);
  servers.push(bound.server);
  for (const other of others) {
    const server = newServer();
    if (await alsoListening(server, bound.port, other)) servers.push(server);
  }
  return {
    port: bound.port,
    baseUrl: `http://${address && !everywhere.has(address) ? address : 'localhost'}:${bound.port}`,
    serve,
    async close() {
      closing = true;
      cancel(new Error('the host stopped before it served'));
      await Promise.all(servers.map(closed));
    },
  };
}

/** Listening on all of a machine's addresses is none to call. */
const everywhere = new Set(['0.0.0.0', '::']);

/** `localhost` is one or the other, depending on who asks. */
const thisMachine = ['127.0.0.1', '::1'] as const;

async function listening(server: Server, port: number, address: string): Promise<{ server: Server; port: number }> {
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
async function alsoListening(server: Server, port: number, address: string): Promise<boolean> {
  try {
    await listening(server, port, address);
    return true;
  } catch (error) {
    if (error instanceof PortTaken) throw error;
    return false;
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

// As API Gateway keeps connections (with Node's own five seconds a busy caller meets sockets that are just being closed), and as long as it waits.
const serverOptions = { keepAliveTimeout: 75_000, requestTimeout: 30_000, headersTimeout: 10_000 };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  opened: Promise<Site>,
  bodies: IncomingBodies,
): Promise<void> {
  const site = await opened;
  const body = await bodies.read(request, maxBytesOf(request, site));
  try {
    await site.activity.track(async () => {
      const told = isRefused(body)
        ? refusedBody(body, maxBytesOf(request, site))
        : await respond(request, body.bytes, site);
      const { status, headers, body: text } = told;
      const bodiless = status === 204 || status === 304;
      response.writeHead(status, { ...headers, ...(bodiless ? {} : { 'content-length': text.length }) });
      response.end(bodiless ? undefined : text);
      if (!request.complete) linger(request);
    });
  } finally {
    if (!isRefused(body)) body.release();
  }
}

function linger(request: IncomingMessage): void {
  const late = setTimeout(() => request.socket.destroy(), lingerMilliseconds).unref();
  request.once('close', () => clearTimeout(late));
}

/** A request line may name a host too. */
function hostsOf({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const [, named] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return [...(headersDistinct['host'] ?? []), ...(named === undefined ? [] : [named])];
}

async function respond(request: IncomingMessage, body: Buffer, site: Site): Promise<HttpAnswer> {
  const path = request.url ?? '/';
  // Put together by hand: resolved as a reference, a path that begins with two slashes would name a host.
  const target = targetOf(path);
  const { method, headers, socket } = request;
  const own =
    target &&
    site.ofHost?.({
      method,
      path: target.path,
      headers,
      hosts: hostsOf(request),
      httpVersion: request.httpVersion,
      remoteAddress: socket.remoteAddress,
    });
  if (own) return own;
  const match = target && site.route(target.path);
  if (!target || !match) return refusal(noEndpoint);
  try {
    return httpAnswer(await site.run(match.functionName, httpEvent(request, target, body, match, site.clock.now())));
  } catch (error) {
    site.log('error', 'a function failed on a request', {
      function: match.functionName,
      route: match.routeKey,
      error,
    });
    return refusal(error instanceof FunctionTimedOut ? tooLate : broken);
  }
}

const noEndpoint = new Failure('not_found', 'No such endpoint. See /docs.');
const broken = new Failure(
  'internal_error',
  'Something went wrong on our end. Include the X-Request-Id when you contact support.',
);
/** A table that does not answer keeps a function longer than it may run; it may be back a moment later. */
const tooLate = new Failure('unavailable', 'The request took too long. Try again in a moment.', {
  retryAfterSeconds: 1,
});
const tooSlow = new Failure('unavailable', 'The body took too long to arrive. Try again in a moment.', {
  retryAfterSeconds: 1,
});
const tooMuch = new Failure('unavailable', 'Too much data is being sent at once. Try again in a few seconds.', {
  retryAfterSeconds: 5,
});

/** What the gateway answers itself has the body of every other failure. (On AWS, API Gateway has words of its own for these.) */
function refusal(failure: Failure): HttpAnswer {
  const { status, headers, body } = failureAnswer(failure);
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...forBrowsers,
      ...headers,
      ...limitHeaders(undefined),
      ...forBrowsers,
      'X-Request-Id': randomUUID(),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

const unreadableStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const unreadable = new Failure('invalid_request', 'This is not a valid HTTP request.');

/** What Node cannot read as a request gets the body of every other failure. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = unreadableStatus[error.code ?? ''] ?? 400;
  const { headers, body } = refusal(unreadable);
  const lines = Object.entries({ ...headers, 'Content-Length': body.length, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), body]));
}

/**
 * The rest of a body that is refused is dropped as it comes, so that its sender gets to see the
 * answer.
 */
function refusedBody(why: RefusedBody, maxBytes: number): HttpAnswer {
  if (why === 'too_long')
    return refusal(new Failure('payload_too_large', `The body must not exceed ${maxBytes} bytes.`));
  return refusal(why === 'too_slow' ? tooSlow : tooMuch);
}

/** What its route takes, where it takes a body; and of a stranger no more than that of any. */
function maxBytesOf({ method = '', headers, url = '' }: IncomingMessage, site: Site): number {
  const isStranger = headers.authorization === undefined && !ofVendors.test(url);
  const target = targetOf(url);
  const ofRoute = target && site.route(target.path)?.maxBodyBytes?.get(method);
  return Math.min(isStranger ? mostBodyBytesOfStrangers : mostBodyBytes, ofRoute ?? mostBodyBytes);
}
