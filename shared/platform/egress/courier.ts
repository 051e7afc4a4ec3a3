// The Courier: signed letters to addresses that somebody else chose. Of what comes back only the beginning matters.
import type { AgentOptions as TlsOptions } from 'node:https';
import type { Courier, Receipt } from '../ports.ts';
import { exchange, systemTimer, type Timer } from './exchange.ts';
import { guardedAgents, type Resolve, systemResolve } from './guarded-agents.ts';
import type { EgressRules } from './target.ts';

export interface CourierOptions extends EgressRules {
  timeoutMs?: number;
  resolve?: Resolve;
  timer?: Timer;
  tls?: TlsOptions;
}

const mostOrigins = 256;
/** Whoever answers with more than is read is not read to the end. */
const bounds = { timeoutMs: 15_000, keptBytes: 1024, readBytes: 64 * 1024 };

export function openCourier(options: CourierOptions): Courier {
  const { loopback, timeoutMs = bounds.timeoutMs, resolve = systemResolve, timer = systemTimer, tls = {} } = options;
  const agents = guardedAgents({ loopback, resolve }, { most: mostOrigins, tls });
  return {
    // A letter has an id by which its receiver knows it again.
    async post(letter): Promise<Receipt> {
      const request = { method: 'POST', ...letter, repeatable: true } as const;
      const reply = await exchange(agents, timer, request, { ...bounds, timeoutMs });
      const body = textOf(reply.body);
      if (reply.kind === 'unanswered') return { ...reply, body };
      return { kind: 'answered', status: reply.status, body, retryAfter: reply.headers['retry-after'] };
    },
  };
}

/** The table keeps well-formed text only; a character cut in two becomes the replacement character. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');
