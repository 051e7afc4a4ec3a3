// Derives every secret of a deployment from its one root secret: one key per purpose, derived once
// and cached in memory.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Keyring, Vault } from './ports.ts';

const ivBytes = 12;
const tagBytes = 16;

export function openKeyring(rootSecret: string): Keyring {
  if (rootSecret.length < 32) throw new Error('the root secret must have at least 32 characters');
  // Key objects, because a key passed as bytes is prepared again for every hash.
  const keys = new Map<string, KeyObject>();
  const keyFor = (purpose: string): KeyObject => {
    const cached = keys.get(purpose);
    if (cached) return cached;
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', rootSecret, 'daybook', purpose, 32)));
    keys.set(purpose, key);
    return key;
  };
  return {
    hash: (purpose, text) =>
      createHmac('sha256', keyFor(`hash:${purpose}`))
        .update(text)
        .digest('base64url'),
    seal(purpose, text, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(`seal:${purpose}`), iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64url');
    },
    open(purpose, sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      // The same bytes have several base64 spellings; only the one that was written is accepted.
      if (bytes.length < ivBytes + tagBytes || bytes.toString('base64url') !== sealed) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', keyFor(`seal:${purpose}`), bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(ivBytes, -tagBytes));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

const throwNotGranted = (): never => {
  throw new Error('this function was not granted the root secret');
};
/**
 * For functions without the grant: using the keyring is a mistake in the function manifest and must
 * never fall back to a weaker secret.
 */
export const ungrantedKeyring: Keyring = { hash: throwNotGranted, seal: throwNotGranted, open: throwNotGranted };

/** Seals with the keyring if there is no key service. */
export const createKeyringVault = (keyring: Keyring): Vault => ({
  seal: async (text, context) => keyring.seal('vault', text, context),
  open: async (sealed, context) => keyring.open('vault', sealed, context),
});
