// What is not valid HTTP, or does not arrive in time, gets the same body as all other failures.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../shared/system/failure.ts';
import { closeAfterLinger } from './close-after-linger.ts';
import { toGatewayResponse } from './gateway-failure.ts';
import type { GatewayResponse } from './http-event.ts';

const invalidHttp = (reason: string) => new Failure('invalid_request', `This is not a valid HTTP request: ${reason}.`);

const hostFailure = invalidHttp('it must have exactly one Host header');
const syntaxFailure = invalidHttp('its request line, a header or a chunk is malformed');

/** HTTP/1.1 requires one Host header, and no version allows two. */
export function findHostProblem({ httpVersion, headersDistinct }: IncomingMessage): Failure | undefined {
  const count = headersDistinct['host']?.length ?? 0;
  return count > 1 || (count === 0 && httpVersion !== '1.0') ? hostFailure : undefined;
}

/** What Node reports about a request that it cannot parse, or that does not arrive in time. */
const malformedRequests: Readonly<Record<string, { status: number; failure: Failure }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, failure: invalidHttp('the request line and headers exceed 16 kB') },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    failure: new Failure('payload_too_large', 'The extensions of a chunk must not exceed 16 kB.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, failure: invalidHttp('it took too long to arrive') },
};

export const expectationResponse = (): GatewayResponse =>
  toGatewayResponse(invalidHttp('the only supported Expect header is 100-continue'), 417);

/** Sockets on which a malformed request was answered: nothing else may be sent on them. */
const answeredSockets = new WeakSet<Duplex>();
export const isAnsweredAsMalformed = (socket: Duplex): boolean => answeredSockets.has(socket);

export function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, failure } = malformedRequests[error.code ?? ''] ?? { status: 400, failure: syntaxFailure };
  answerOnSocket(socket, failure, status);
}

function answerOnSocket(socket: Duplex, failure: Failure, protocolStatus?: number): void {
  const { status, headers, body } = toGatewayResponse(failure, protocolStatus);
  const lines = Object.entries({ ...headers, 'Content-Length': body.length, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  answeredSockets.add(socket);
  // Node no longer handles the errors of a socket whose request it gave up on.
  socket.on('error', () => {});
  closeAfterLinger(socket);
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), body]));
}

export const answerConnect = (socket: Duplex): void =>
  answerOnSocket(socket, invalidHttp('this server is not a proxy'));
