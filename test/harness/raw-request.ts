// Requests that fetch would normalize (unusual paths, methods and headers), and the raw bytes of
// the response.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export function rawRequest(
  baseUrl: string,
  options: { method?: string; path: string; headers?: OutgoingHttpHeaders | string[]; body?: string },
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const { method = 'GET', path, headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends the text unchanged and returns everything received until the connection ends. */
export function rawExchange(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
