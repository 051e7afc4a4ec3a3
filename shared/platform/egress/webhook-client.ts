// The WebhookClient port: sends signed requests to addresses that someone else chose, and reads
// only the beginning of the response.
import type { AgentOptions as TlsOptions } from 'node:https';
import type { WebhookClient, WebhookResponse } from '../ports.ts';
import { exchange, systemTimer, type Timer } from './exchange.ts';
import { createGuardedAgents, type Resolve, systemResolve } from './guarded-agents.ts';
import type { EgressRules } from './target.ts';

export interface WebhookClientOptions extends EgressRules {
  timeoutMs?: number;
  resolve?: Resolve;
  timer?: Timer;
  tls?: TlsOptions;
}

const maxOrigins = 256;
/** A response longer than `maxReadBytes` is not read to the end. */
const bounds = { timeoutMs: 15_000, maxBodyBytes: 1024, maxReadBytes: 64 * 1024 };

export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { loopback, timeoutMs = bounds.timeoutMs, resolve = systemResolve, timer = systemTimer, tls = {} } = options;
  const agents = createGuardedAgents({ loopback, resolve }, { maxOrigins: maxOrigins, tls });
  return {
    // Idempotent, because a webhook request has an id by which the receiver recognizes a duplicate.
    async post(webhookRequest): Promise<WebhookResponse> {
      const request = { method: 'POST', ...webhookRequest, isIdempotent: true } as const;
      const response = await exchange(agents, timer, request, { ...bounds, timeoutMs });
      const body = decodeText(response.body);
      if (response.kind === 'unanswered') return { ...response, body };
      return { kind: 'answered', status: response.status, body, retryAfter: response.headers['retry-after'] };
    },
  };
}

/**
 * The table stores only well-formed text; a character that was cut in half becomes the replacement
 * character.
 */
const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');
