// One try of a call: over a kept-alive connection, and over when its time is, whether the connection, the answer or its last byte is late.
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

const agentOptions = { keepAlive: true, maxSockets: 50 };
/** Shared by every client of a process. Idle connections never keep it from ending: agents unref them. */
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

  /** The limits above end with the answer's headers, or with silence; this one also ends a body that trickles. */
  override async handle(...args: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    let body: Readable | undefined;
    const abortLateBody = () => body?.destroy(new Error(`no complete answer within ${this.#timeoutMs} ms`));
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

/** Nothing came, or not all of it, or nothing that is HTTP: whatever it was may be over a moment later. */
export class IncompleteResponse extends Error {}

const toIncompleteResponse = (cause: unknown): IncompleteResponse =>
  new IncompleteResponse(cause instanceof Error ? cause.message : String(cause), { cause });

/** Cheaper than a pipe into a stream of its own. */
export const collectBody = (body: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    body.on('error', (cause) => reject(toIncompleteResponse(cause)));
  });

/**
 * Without `info` and `error`, which the SDK hands the whole input of a call: a person's data, and work even for a logger that drops it.
 * Holds because the SDK asks for every method but `warn` before it calls it.
 */
const warningsOnly = (warn: Logger['warn']): Logger => ({ warn }) as Logger;
type Logger = NonNullable<NodeHttpHandlerOptions['logger']>;

export const logger = warningsOnly(console.warn);
