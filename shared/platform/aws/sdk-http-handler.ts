// One attempt of a call over a keep-alive connection, with one timeout for connecting, for the
// response and for its last byte.
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

const agentOptions = { keepAlive: true, maxSockets: 50 };
/**
 * Shared by every client of a process. Idle connections do not keep the process alive: agents unref
 * them.
 */
const httpAgent = new Agent(agentOptions);
const httpsAgent = new TlsAgent(agentOptions);

export class TimedHandler extends NodeHttpHandler {
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    super({
      httpAgent,
      httpsAgent,
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      logger,
    });
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The timeouts above end with the response's headers or apply to silence; this one also ends a
   * body that trickles in.
   */
  override async handle(...args: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    let body: Readable | undefined;
    const abortLateBody = () => body?.destroy(new Error(`no complete response within ${this.#timeoutMs} ms`));
    const timer = setTimeout(abortLateBody, this.#timeoutMs);
    try {
      const output = await super.handle(...args);
      body = output.response.body;
      body?.once('close', () => clearTimeout(timer));
      return output;
    } catch (cause) {
      clearTimeout(timer);
      throw toIncompleteResponse(cause);
    }
  }
}

/** The response is missing, incomplete or not HTTP. The cause may be gone a moment later. */
export class IncompleteResponse extends Error {}

const toIncompleteResponse = (cause: unknown): IncompleteResponse =>
  new IncompleteResponse(cause instanceof Error ? cause.message : String(cause), { cause });

/** Cheaper than piping into another stream. */
export const collectBody = (body: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    body.on('error', (cause) => reject(toIncompleteResponse(cause)));
  });

/**
 * Has no `info` and `error`, to which the SDK passes the whole input of a call: a user's data, and
 * extra work even for a logger that drops it. The cast is safe because the SDK checks that a method
 * exists before it calls it, except for `warn`.
 */
const warningsOnly = (warn: Logger['warn']): Logger => ({ warn }) as Logger;
type Logger = NonNullable<NodeHttpHandlerOptions['logger']>;

export const logger = warningsOnly(console.warn);
