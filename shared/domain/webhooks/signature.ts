// Signatures as Standard Webhooks has them: HMAC-SHA256 over the id, the time and the exact body.
import { createHmac } from 'node:crypto';
import type { SecretRow, WebhookRow } from '../../store/webhooks.ts';
import type { Deps } from '../deps.ts';

const prefix = 'whsec_';
const purpose = 'webhook-secret';
const secretBytes = 32;

export const makeSecret = (deps: Pick<Deps, 'random'>): string =>
  prefix + Buffer.from(deps.random.bytes(secretBytes)).toString('base64');

/** A secret must be read again to sign, so it is sealed, bound to its endpoint. */
export const sealSecret = (deps: Pick<Deps, 'keyring'>, webhookId: string, secret: string): string =>
  deps.keyring.seal(purpose, secret, webhookId);

/** Those that sign now: the current one and its predecessors while they overlap. */
export const signingSecrets = (row: Pick<WebhookRow, 'secrets'>, nowMs: number): SecretRow[] =>
  row.secrets.filter(({ untilMs }) => untilMs === null || untilMs > nowMs);

export function signedHeaders(
  deps: Pick<Deps, 'keyring'>,
  row: Pick<WebhookRow, 'id' | 'secrets'>,
  message: { id: string; body: string; nowMs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(message.nowMs / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = signingSecrets(row, message.nowMs).map(({ sealed }) => {
    const secret = deps.keyring.open(purpose, sealed, row.id);
    if (secret === undefined) throw new Error(`the secret of ${row.id} does not open: was the root secret changed?`);
    return sign(secret, content);
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Daybook-Webhooks/1.0',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
