// A proxy to a real engine that applies faults to single requests and passes the others.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf, refuse } from './scripted-server.ts';

export type ProxyFault =
  /** The engine never sees the request. */
  | 'cut before'
  /** The engine executes the request, and its response is lost. */
  | 'cut after'
  /** The engine executes the request, and its response stops in the middle. */
  | 'stalled body'
  | 'throttled';

export interface FaultyProxy extends AsyncDisposable {
  endpoint: string;
  /** The faults of the next requests, one each. */
  faults: ProxyFault[];
  /** How many requests arrived, and how many of them the engine saw. */
  counts: { asked: number; carriedOut: number };
  /** Whether the newest response stops in the middle. */
  isStalled(): boolean;
}

export async function startFaultyProxy(engine: string): Promise<FaultyProxy> {
  const faults: ProxyFault[] = [];
  const counts = { asked: 0, carriedOut: 0 };
  let stalled = false;
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = faults.shift();
    stalled = fault === 'stalled body';
    counts.asked += 1;
    const body = Buffer.concat(await request.toArray());
    if (fault === 'cut before') return void response.destroy();
    if (fault === 'throttled') {
      const received = { path: request.url, headers: request.headers, body: '', remotePort: undefined };
      return refuse('ThrottlingException')(response, received);
    }
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const forwarded = headers.filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
    const upstream = await fetch(engine, { method: 'POST', headers: forwarded, body });
    const bytes = Buffer.from(await upstream.arrayBuffer());
    counts.carriedOut += 1;
    if (fault === 'cut after') return void response.destroy();
    response.writeHead(upstream.status, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': bytes.length,
    });
    if (fault === 'stalled body') response.write(bytes.subarray(0, 1));
    else response.end(bytes);
  }
  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    faults,
    counts,
    isStalled: () => stalled,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
