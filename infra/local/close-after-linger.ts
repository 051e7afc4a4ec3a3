// Closes a socket whose request was answered before all of it had arrived.
import type { Duplex, Readable } from 'node:stream';

/** The sender has this long to read the response. */
const lingerMilliseconds = 5_000;

/** Not if `source`, such as the request, ends before that: the connection can be used again. */
export function closeAfterLinger(socket: Duplex, source: Readable = socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
  source.once('close', () => clearTimeout(timer));
}
