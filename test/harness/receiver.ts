// A local webhook endpoint that responds as the test decides and records its requests.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface ReceivedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}
export type ResponseHandler = (response: ServerResponse, received: ReceivedRequest) => void;

export interface Receiver {
  url: string;
  received: ReceivedRequest[];
  /** How many connections were opened to it in total. */
  readonly connections: number;
  /** Sets how it handles every request from now on. */
  respondWith(handler: ResponseHandler): void;
  /** Resolves when it has received this number of requests. */
  waitForRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export const respond =
  (status: number, headers: Record<string, string> = {}, body = ''): ResponseHandler =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };
export const neverRespond: ResponseHandler = () => {};

export async function startReceiver(): Promise<Receiver> {
  let handler: ResponseHandler = respond(204);
  let connections = 0;
  let waiting: { count: number; resolve: () => void }[] = [];
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch (error) {
      // The sender disconnected in the middle of the request, so nothing was received.
      if (!request.complete) return;
      throw error;
    }
    const arrived = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(arrived);
    handler(response, arrived);
    for (const each of waiting) if (received.length >= each.count) each.resolve();
    waiting = waiting.filter(({ count }) => received.length < count);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    get connections() {
      return connections;
    },
    respondWith(next) {
      handler = next;
    },
    waitForRequests: (count) =>
      received.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
