// One request and its response over Node's HTTP client: keep-alive connections, one timeout for
// everything, and bounded response bodies.
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { HttpRequest, HttpResponse, NoResponseReason } from '../ports.ts';
import { AddressRefused, type Agents } from './guarded-agents.ts';
import { hostOf } from './target.ts';

/** Calls back after this many milliseconds, unless it is canceled. */
export type Timer = (milliseconds: number, callback: () => void) => () => void;

export interface ExchangeBounds {
  /** From the call to the last byte of the response, including DNS and handshakes. */
  timeoutMs: number;
  /**
   * How much of a response's body is returned. The rest is read up to `maxReadBytes`, so that the
   * connection can be reused.
   */
  maxBodyBytes: number;
  maxReadBytes: number;
}

type ReceivedResponse = Extract<HttpResponse, { kind: 'answered' }>;
type FailedResponse = Extract<HttpResponse, { kind: 'unanswered' }>;
/** `isComplete`: the whole body was returned. */
export type ExchangeResult =
  | (ReceivedResponse & { isComplete: boolean })
  | (FailedResponse & { reason: NoResponseReason });

/** An idempotent request may be sent twice if a keep-alive connection turns out to be dead. */
export type ExchangeRequest = HttpRequest & { isIdempotent: boolean };

const abortGraceMs = 100;

export const systemTimer: Timer = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

class RequestTimeout extends Error {}

export async function exchange(
  agents: Agents,
  timer: Timer,
  request: ExchangeRequest,
  bounds: ExchangeBounds,
): Promise<ExchangeResult> {
  const url = new URL(request.url);
  let current: ClientRequest | undefined;
  const send = () =>
    sendOnce(agents, url, request, bounds, (begun) => {
      current = begun;
    });
  const sendWithRetry = async (): Promise<ExchangeResult> => {
    const first = await send();
    if (first !== 'stale') return first;
    // The other side had already closed the keep-alive connection. There was no response, so the
    // request is sent on a new one.
    agents.forget(url);
    const second = await send();
    return second === 'stale' ? toFailedResponse(new Error('the connection was closed'), undefined, []) : second;
  };
  let cancel = () => {};
  const deadline = new Promise<ExchangeResult>((resolve) => {
    cancel = timer(bounds.timeoutMs, () => {
      const error = new RequestTimeout(`no complete response within ${bounds.timeoutMs / 1000} s`);
      current?.destroy(error);
      // The aborted request reports what it has received; this does not wait for one that reports
      // nothing.
      setTimeout(() => resolve(toFailedResponse(error, undefined, [])), abortGraceMs).unref();
    });
  });
  try {
    return await Promise.race([sendWithRetry(), deadline]);
  } finally {
    cancel();
  }
}

function sendOnce(
  agents: Agents,
  url: URL,
  { method, headers = {}, body, isIdempotent }: ExchangeRequest,
  { maxBodyBytes, maxReadBytes }: ExchangeBounds,
  begun: (request: ClientRequest) => void,
): Promise<ExchangeResult | 'stale'> {
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? overHttps : overHttp)({
      // A request that must not be sent twice never uses a connection that may be dead.
      agent: isIdempotent ? agents.for(url) : agents.fresh(url),
      method,
      host: hostOf(url),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    begun(outgoing);
    let response: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    const fail = (error: Error) => {
      const isStale = outgoing.reusedSocket && response === undefined && !(error instanceof RequestTimeout);
      resolve(isStale ? 'stale' : toFailedResponse(error, response?.statusCode, chunks));
    };
    outgoing.on('error', fail);
    // Ends the exchange in every other case: without this, a response that is not HTTP would never
    // end.
    outgoing.on('close', () => fail(outgoing.errored ?? new Error('the connection was closed')));
    outgoing.on('upgrade', (incoming, socket) => {
      resolve(toReceivedResponse(incoming, [], true));
      socket.destroy();
    });
    outgoing.on('response', (incoming) => {
      response = incoming;
      let bytesRead = 0;
      incoming.on('data', (chunk: Buffer) => {
        if (bytesRead < maxBodyBytes) chunks.push(chunk.subarray(0, maxBodyBytes - bytesRead));
        bytesRead += chunk.byteLength;
        if (bytesRead <= maxReadBytes) return;
        resolve(toReceivedResponse(incoming, chunks, false));
        outgoing.destroy();
      });
      incoming.on('end', () => resolve(toReceivedResponse(incoming, chunks, bytesRead <= maxBodyBytes)));
      incoming.on('error', (error) => fail(outgoing.errored ?? error));
    });
    // As text, headers and body leave in one write and one TLS record.
    if (typeof body === 'string') outgoing.end(body, 'utf8');
    else outgoing.end(body);
  });
}

function toReceivedResponse(
  { statusCode = 0, headers }: IncomingMessage,
  chunks: Buffer[],
  isComplete: boolean,
): ExchangeResult {
  const headerEntries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  const body = Buffer.concat(chunks);
  return { kind: 'answered', status: statusCode, headers: Object.fromEntries(headerEntries), body, isComplete };
}

function toFailedResponse(error: Error, status: number | undefined, chunks: Buffer[]): ExchangeResult {
  const reason =
    error instanceof RequestTimeout ? 'timeout' : error instanceof AddressRefused ? 'address_refused' : 'connection';
  return { kind: 'unanswered', reason, message: error.message, status, body: Buffer.concat(chunks) };
}
