// One POST over a kept-alive connection. Whatever keeps the whole answer from arriving in time is thrown as NoAnswer.
import { Agent, type IncomingHttpHeaders, request as overHttp } from 'node:http';
import { request as overHttps, Agent as TlsAgent } from 'node:https';

export interface Outgoing {
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
  /** From the call to the last byte of the answer. */
  timeoutMs: number;
}
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}
export type Transport = (outgoing: Outgoing) => Promise<Answer>;

export class NoAnswer extends Error {}

/** Idle connections stay open for the next call, but never keep a process from ending: the agent unrefs them. */
function keepAliveTransport({ maxSockets = 50 }: { maxSockets?: number } = {}): Transport {
  const plain = new Agent({ keepAlive: true, maxSockets });
  const tls = new TlsAgent({ keepAlive: true, maxSockets });
  return ({ url, headers, body, timeoutMs }) =>
    new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const outgoing = (secure ? overHttps : overHttp)(url, {
        method: 'POST',
        agent: secure ? tls : plain,
        headers: { ...headers, 'content-length': body.byteLength },
      });
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no complete answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      const fail = (cause: Error) => {
        clearTimeout(timer);
        reject(new NoAnswer(`no answer from ${url.host}: ${cause.message}`, { cause }));
      };
      outgoing.on('error', fail);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('error', fail);
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          clearTimeout(timer);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      outgoing.end(body);
    });
}

/** Shared by every client of a process: connections are pooled by host anyway. */
export const sharedTransport: Transport = keepAliveTransport();
