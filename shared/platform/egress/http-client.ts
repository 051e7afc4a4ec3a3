// HTTP clients for other servers: for public addresses that someone else chose, and for hosts that
// Daybook chose.
import type { AgentOptions as TlsOptions } from 'node:https';
import type { HttpClient, HttpRequest, HttpResponse } from '../ports.ts';
import { exchange, systemTimer, type Timer } from './exchange.ts';
import {
  type Agents,
  createGuardedAgents,
  createUnguardedAgents,
  type Resolve,
  systemResolve,
} from './guarded-agents.ts';
import type { EgressRules } from './target.ts';

export interface HttpClientOptions {
  resolve?: Resolve;
  timer?: Timer;
  tls?: TlsOptions;
}

const maxOrigins = 64;
const defaults = { timeoutMs: 10_000, maxBytes: 8_000_000 };

/** For addresses that someone else chose, with the same guard as the webhook client. */
export function createGuardedClient(rules: EgressRules, options: HttpClientOptions = {}): HttpClient {
  const { resolve = systemResolve, tls = {} } = options;
  return createClient(createGuardedAgents({ ...rules, resolve }, { maxOrigins: maxOrigins, tls }), options, () => true);
}

/**
 * For a provider's own hosts only: a redirect or a link in a response cannot lead to another host.
 */
export function createFixedOriginClient(origins: readonly string[], options: HttpClientOptions = {}): HttpClient {
  const { resolve = systemResolve, tls = {} } = options;
  const allowedOrigins = new Set(origins.map((each) => new URL(each).origin));
  return createClient(createUnguardedAgents(resolve, { maxOrigins: maxOrigins, tls }), options, ({ origin }) =>
    allowedOrigins.has(origin),
  );
}

function createClient(
  agents: Agents,
  { timer = systemTimer }: HttpClientOptions,
  isAllowed: (url: URL) => boolean,
): HttpClient {
  return {
    async send(request): Promise<HttpResponse> {
      const { timeoutMs = defaults.timeoutMs, maxBytes = defaults.maxBytes } = request;
      if (!isAllowed(new URL(request.url)))
        return toRefusedResponse(`${new URL(request.url).origin} is not a host of a provider`);
      const bounds = { timeoutMs, maxBodyBytes: maxBytes, maxReadBytes: maxBytes };
      const isIdempotent = request.isIdempotent ?? isIdempotentMethod(request);
      const result = await exchange(agents, timer, { ...request, isIdempotent }, bounds);
      if (result.kind === 'unanswered') return result;
      const { isComplete, ...response } = result;
      const message = `the response is longer than ${maxBytes} bytes`;
      return isComplete ? response : { ...response, kind: 'unanswered', reason: 'too_large', message };
    },
  };
}

const isIdempotentMethod = ({ method }: HttpRequest): boolean => method !== 'POST' && method !== 'PATCH';

const toRefusedResponse = (message: string): HttpResponse => ({
  kind: 'unanswered',
  reason: 'address_refused',
  message,
  status: undefined,
  body: new Uint8Array(),
});
