// Signatures as in Standard Webhooks: HMAC-SHA256 over the id, the time and the exact body.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Keyring } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { SecretRow, WebhookRow } from './webhook-rows.ts';

const prefix = 'whsec_';
const purpose = 'webhook-secret';
const secretBytes = 32;

export const makeSecret = (deps: Pick<Deps, 'random'>): string =>
  prefix + Buffer.from(deps.random.bytes(secretBytes)).toString('base64');

/** A secret is needed again to sign, so it is sealed, bound to its endpoint. */
export const sealSecret = (deps: Pick<Deps, 'keyring'>, webhookId: string, secret: string): string =>
  deps.keyring.seal(purpose, secret, webhookId);

/** The secrets that sign now: the current one, and earlier ones while they overlap. */
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
    const key = signingKey(deps.keyring, sealed, row.id);
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Daybook-Webhooks/1.0',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Decrypting a secret takes longer than signing with it, so a process caches decrypted secrets. */
const keyCaches = new WeakMap<Keyring, BoundedCache<string, KeyObject>>();
const maxCachedKeys = 1000;

function signingKey(keyring: Keyring, sealed: string, webhookId: string): KeyObject {
  const keys = keyCaches.get(keyring) ?? new BoundedCache(maxCachedKeys);
  keyCaches.set(keyring, keys);
  return keys.getOrCreate(`${webhookId}.${sealed}`, () => {
    const secret = keyring.open(purpose, sealed, webhookId);
    if (secret === undefined)
      throw new Error(`Cannot decrypt the signing secret of ${webhookId}. Has the root secret changed?`);
    return createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
  });
}
