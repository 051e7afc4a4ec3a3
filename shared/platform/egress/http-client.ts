// Requests of our own to servers of others: to public addresses that somebody else chose, or to hosts that we chose.
import type { AgentOptions as TlsOptions } from 'node:https';
import type { HttpClient, HttpReply, HttpRequest } from '../ports.ts';
import { exchange, systemTimer, type Timer } from './exchange.ts';
import { type Agents, guardedAgents, type Resolve, systemResolve, unguardedAgents } from './guarded-agents.ts';
import type { EgressRules } from './target.ts';

export interface HttpClientOptions {
  resolve?: Resolve;
  timer?: Timer;
  tls?: TlsOptions;
}

const mostOrigins = 64;
const usually = { timeoutMs: 10_000, mostBytes: 8_000_000 };

/** For addresses that somebody else chose: the same guard as the courier's. */
export function openGuardedClient(rules: EgressRules, options: HttpClientOptions = {}): HttpClient {
  const { resolve = systemResolve, tls = {} } = options;
  return clientOver(guardedAgents({ ...rules, resolve }, { most: mostOrigins, tls }), options, () => true);
}

/** For a provider's own hosts, and no others: wherever they lead, a redirect or a link in an answer does not lead us elsewhere. */
export function openFixedClient(origins: readonly string[], options: HttpClientOptions = {}): HttpClient {
  const { resolve = systemResolve, tls = {} } = options;
  const known = new Set(origins.map((each) => new URL(each).origin));
  return clientOver(unguardedAgents(resolve, { most: mostOrigins, tls }), options, ({ origin }) => known.has(origin));
}

function clientOver(
  agents: Agents,
  { timer = systemTimer }: HttpClientOptions,
  isKnown: (url: URL) => boolean,
): HttpClient {
  return {
    async send(request): Promise<HttpReply> {
      const { timeoutMs = usually.timeoutMs, mostBytes = usually.mostBytes } = request;
      if (!isKnown(new URL(request.url))) return refused(`${new URL(request.url).origin} is not a host of a provider`);
      const bounds = { timeoutMs, keptBytes: mostBytes, readBytes: mostBytes };
      const repeatable = request.repeatable ?? isRepeatable(request);
      const found = await exchange(agents, timer, { ...request, repeatable }, bounds);
      if (found.kind === 'unanswered') return found;
      const { isWhole, ...reply } = found;
      const message = `the answer is longer than ${mostBytes} bytes`;
      return isWhole ? reply : { ...reply, kind: 'unanswered', reason: 'too_large', message };
    },
  };
}

const isRepeatable = ({ method }: HttpRequest): boolean => method !== 'POST' && method !== 'PATCH';

const refused = (message: string): HttpReply => ({
  kind: 'unanswered',
  reason: 'address_refused',
  message,
  status: undefined,
  body: new Uint8Array(),
});
