// A loopback server that answers each request by the next step of a script and records the
// requests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  /** Distinguishes the connections of the requests. */
  remotePort: number | undefined;
}
export type Step = (response: ServerResponse, received: ReceivedRequest) => void;

export interface ScriptedServer extends AsyncDisposable {
  endpoint: string;
  requests: ReceivedRequest[];
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    response.end(JSON.stringify(body));
  };
export const refuse = (code: string, rest: object = {}): Step =>
  answer(400, { __type: `com.amazonaws.service#${code}`, message: 'no', ...rest });
export const hangUp: Step = (response) => {
  response.destroy();
};
export const stayMute: Step = () => {};

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

/** Starts a server that follows the script and repeats its last step. */
export async function scriptedServer(...script: [Step, ...Step[]]): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const one = {
      path: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      remotePort: request.socket.remotePort,
    };
    const step = script[Math.min(received.length, script.length - 1)] ?? script[0];
    received.push(one);
    step(response, one);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    requests: received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
