// A proxy to a real engine that applies faults to single requests and passes the others.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf, refuse } from './scripted-server.ts';

export type LineFault =
  /** The engine never sees the request. */
  | 'cut before'
  /** The engine executes the request, and its response is lost. */
  | 'cut after'
  /** The engine executes the request, and its response stops in the middle. */
  | 'stalled body'
  | 'throttled';

export interface FaultyLine extends AsyncDisposable {
  endpoint: string;
  /** The faults of the next requests, one each. */
  faults: LineFault[];
  /** How many requests arrived, and how many of them the engine saw. */
  counts: { asked: number; carriedOut: number };
  /** Whether the newest response stops in the middle. */
  isStalled(): boolean;
}

export async function faultyLine(engine: string): Promise<FaultyLine> {
  const faults: LineFault[] = [];
  const counts = { asked: 0, carriedOut: 0 };
  let stalled = false;
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = faults.shift();
    stalled = fault === 'stalled body';
    counts.asked += 1;
    const body = Buffer.concat(await request.toArray());
    if (fault === 'cut before') return void response.destroy();
    if (fault === 'throttled') {
      const asked = { path: request.url, headers: request.headers, body: '', remotePort: undefined };
      return refuse('ThrottlingException')(response, asked);
    }
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const kept = headers.filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
    const told = await fetch(engine, { method: 'POST', headers: kept, body });
    const answer = Buffer.from(await told.arrayBuffer());
    counts.carriedOut += 1;
    if (fault === 'cut after') return void response.destroy();
    response.writeHead(told.status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': answer.length });
    if (fault === 'stalled body') response.write(answer.subarray(0, 1));
    else response.end(answer);
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
