// One request and its answer over node's own HTTP client: kept-alive connections, one time limit over everything, answers read up to a bound.
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { HttpReply, HttpRequest, NoAnswer } from '../ports.ts';
import { AddressRefused, type Agents } from './guarded-agents.ts';
import { hostOf } from './target.ts';

/** Calls back after so many milliseconds, unless it is cancelled. */
export type Timer = (milliseconds: number, ring: () => void) => () => void;

export interface ExchangeBounds {
  /** From the call to the last byte of the answer, names and handshakes included. */
  timeoutMs: number;
  /** So much of an answer's body is kept; the rest is read up to `readBytes`, so that the connection can be used again. */
  keptBytes: number;
  readBytes: number;
}

type Answered = Extract<HttpReply, { kind: 'answered' }>;
type Unanswered = Extract<HttpReply, { kind: 'unanswered' }>;
/** `isWhole`: all of the answer's body was kept. */
export type Exchanged = (Answered & { isWhole: boolean }) | (Unanswered & { reason: NoAnswer });

/** It may go out twice when a kept connection turns out to be dead. */
export type Repeatable = HttpRequest & { repeatable: boolean };

const lastWordMs = 100;

export const systemTimer: Timer = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds);
  return () => clearTimeout(timer);
};

class TimeIsUp extends Error {}

export async function exchange(
  agents: Agents,
  timer: Timer,
  request: Repeatable,
  bounds: ExchangeBounds,
): Promise<Exchanged> {
  const url = new URL(request.url);
  let current: ClientRequest | undefined;
  const send = () =>
    sendOnce(agents, url, request, bounds, (begun) => {
      current = begun;
    });
  const sendOrRepeat = async (): Promise<Exchanged> => {
    const first = await send();
    if (first !== 'stale') return first;
    // A kept connection that the other side had closed meanwhile: nothing was answered, so it goes out on a new one.
    agents.forget(url);
    const second = await send();
    return second === 'stale' ? unanswered(new Error('the connection was closed'), undefined, []) : second;
  };
  let cancel = () => {};
  const deadline = new Promise<Exchanged>((resolve) => {
    cancel = timer(bounds.timeoutMs, () => {
      const error = new TimeIsUp(`no complete answer within ${bounds.timeoutMs / 1000} s`);
      current?.destroy(error);
      // The request says what it has so far; one that says nothing is not waited for.
      setTimeout(() => resolve(unanswered(error, undefined, [])), lastWordMs).unref();
    });
  });
  try {
    return await Promise.race([sendOrRepeat(), deadline]);
  } finally {
    cancel();
  }
}

function sendOnce(
  agents: Agents,
  url: URL,
  { method, headers = {}, body, repeatable }: Repeatable,
  { keptBytes, readBytes }: ExchangeBounds,
  begun: (request: ClientRequest) => void,
): Promise<Exchanged | 'stale'> {
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? overHttps : overHttp)({
      // What must not go out twice never goes out on a connection that may be dead.
      agent: repeatable ? agents.for(url) : agents.fresh(url),
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
    let answer: IncomingMessage | undefined;
    const kept: Buffer[] = [];
    const fail = (error: Error) => {
      const stale = outgoing.reusedSocket && answer === undefined && !(error instanceof TimeIsUp);
      resolve(stale ? 'stale' : unanswered(error, answer?.statusCode, kept));
    };
    outgoing.on('error', fail);
    // Whatever else ends the exchange: an answer that is none would be waited for without end.
    outgoing.on('close', () => fail(outgoing.errored ?? new Error('the connection was closed')));
    outgoing.on('upgrade', (incoming, socket) => {
      resolve(answered(incoming, [], true));
      socket.destroy();
    });
    outgoing.on('response', (incoming) => {
      answer = incoming;
      let read = 0;
      incoming.on('data', (chunk: Buffer) => {
        if (read < keptBytes) kept.push(chunk.subarray(0, keptBytes - read));
        read += chunk.byteLength;
        if (read <= readBytes) return;
        resolve(answered(incoming, kept, false));
        outgoing.destroy();
      });
      incoming.on('end', () => resolve(answered(incoming, kept, read <= keptBytes)));
      incoming.on('error', (error) => fail(outgoing.errored ?? error));
    });
    // As text, head and body leave in one write and one TLS record.
    if (typeof body === 'string') outgoing.end(body, 'utf8');
    else outgoing.end(body);
  });
}

function answered({ statusCode = 0, headers }: IncomingMessage, kept: Buffer[], isWhole: boolean): Exchanged {
  const named = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  const body = Buffer.concat(kept);
  return { kind: 'answered', status: statusCode, headers: Object.fromEntries(named), body, isWhole };
}

function unanswered(error: Error, status: number | undefined, kept: Buffer[]): Exchanged {
  const reason =
    error instanceof TimeIsUp ? 'timeout' : error instanceof AddressRefused ? 'address_refused' : 'connection';
  return { kind: 'unanswered', reason, message: error.message, status, body: Buffer.concat(kept) };
}
