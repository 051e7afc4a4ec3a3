// The Courier over node's own HTTP client: kept-alive and guarded connections, one time limit over everything, answers read up to a bound.
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps, type AgentOptions as TlsOptions } from 'node:https';
import type { Courier, Letter, Receipt } from '../ports.ts';
import { AddressRefused, type Agents, guardedAgents, type Resolve, systemResolve } from './guarded-agents.ts';
import { type EgressRules, hostOf } from './target.ts';

export interface CourierOptions extends EgressRules {
  /** From the call to the last byte of the answer, names and handshakes included. */
  timeoutMs?: number;
  resolve?: Resolve;
  /** Calls back after so many milliseconds, unless it is cancelled. */
  timer?: (milliseconds: number, ring: () => void) => () => void;
  tls?: TlsOptions;
}

const deliveryTimeoutMs = 15_000;
const mostOrigins = 256;
const keptBytes = 1024;
const lastWordMs = 100;
/** Whoever answers with more is not read to the end. */
const readBytes = 64 * 1024;

const systemTimer = (milliseconds: number, ring: () => void) => {
  const timer = setTimeout(ring, milliseconds);
  return () => clearTimeout(timer);
};

class TimeIsUp extends Error {}

export function openCourier(options: CourierOptions): Courier {
  const { loopback, timeoutMs = deliveryTimeoutMs, resolve = systemResolve, timer = systemTimer, tls = {} } = options;
  const agents = guardedAgents({ loopback, resolve }, { most: mostOrigins, tls });
  return {
    async post(letter) {
      const url = new URL(letter.url);
      let current: ClientRequest | undefined;
      const send = () =>
        sendOnce(agents, url, letter, (request) => {
          current = request;
        });
      const exchange = async (): Promise<Receipt> => {
        const first = await send();
        if (first !== 'stale') return first;
        // A kept connection that the other side had closed meanwhile: nothing was answered, so it goes out on a new one.
        agents.forget(url);
        const second = await send();
        return second === 'stale' ? unanswered(new Error('the connection was closed'), undefined, '') : second;
      };
      let cancel = () => {};
      const deadline = new Promise<Receipt>((resolve) => {
        cancel = timer(timeoutMs, () => {
          const error = new TimeIsUp(`no complete answer within ${timeoutMs / 1000} s`);
          current?.destroy(error);
          // The request says what it has so far; one that says nothing is not waited for.
          setTimeout(() => resolve(unanswered(error, undefined, '')), lastWordMs).unref();
        });
      });
      try {
        return await Promise.race([exchange(), deadline]);
      } finally {
        cancel();
      }
    },
  };
}

function sendOnce(
  agents: Agents,
  url: URL,
  letter: Letter,
  begun: (request: ClientRequest) => void,
): Promise<Receipt | 'stale'> {
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? overHttps : overHttp)({
      agent: agents.for(url),
      method: 'POST',
      host: hostOf(url),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      path: url.pathname + url.search,
      headers: { ...letter.headers, host: url.host, 'content-length': Buffer.byteLength(letter.body) },
    });
    begun(outgoing);
    let answer: IncomingMessage | undefined;
    const kept: Buffer[] = [];
    const text = () => textOf(kept);
    const fail = (error: Error) => {
      const stale = outgoing.reusedSocket && answer === undefined && !(error instanceof TimeIsUp);
      resolve(stale ? 'stale' : unanswered(error, answer?.statusCode, text()));
    };
    outgoing.on('error', fail);
    // Whatever else ends the exchange: an answer that is none would be waited for without end.
    outgoing.on('close', () => fail(outgoing.errored ?? new Error('the connection was closed')));
    outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
      resolve({ kind: 'answered', status: statusCode, body: '', retryAfter: undefined });
      socket.destroy();
    });
    outgoing.on('response', (incoming) => {
      answer = incoming;
      const done = () =>
        resolve({
          kind: 'answered',
          status: incoming.statusCode ?? 0,
          body: text(),
          retryAfter: incoming.headers['retry-after'],
        });
      let read = 0;
      incoming.on('data', (chunk: Buffer) => {
        if (read < keptBytes) kept.push(chunk.subarray(0, keptBytes - read));
        read += chunk.byteLength;
        if (read <= readBytes) return;
        done();
        outgoing.destroy();
      });
      incoming.on('end', done);
      incoming.on('error', (error) => fail(outgoing.errored ?? error));
    });
    // As text, head and body leave in one write and one TLS record.
    outgoing.end(letter.body, 'utf8');
  });
}

/** The table keeps well-formed text only; a character cut in two becomes the replacement character. */
const textOf = (chunks: Buffer[]): string => new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '\uFFFD');

function unanswered(error: Error, status: number | undefined, body: string): Receipt {
  const reason =
    error instanceof TimeIsUp ? 'timeout' : error instanceof AddressRefused ? 'address_refused' : 'connection';
  return { kind: 'unanswered', reason, message: error.message, status, body };
}
