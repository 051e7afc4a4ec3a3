// The Vault port over KMS: each text is sealed with a data key that only KMS can decrypt. Processes
// that may decrypt share one data key per day, so a process calls KMS once for each day on which
// tokens were sealed. A process that may only seal uses its own data keys, each for a limited time.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { BoundedCache } from '../bounded-cache.ts';
import type { Clock, SharedDataKeys, Vault } from '../ports.ts';
import { dayMs } from '../time/local-day.ts';
import { callAws } from './retries.ts';

const ivBytes = 12;
const tagBytes = 16;
/** The lifetime of a process's own data key, and how often it is used. */
const dataKeyTtlMs = 300_000;
const maxDataKeyUses = 1_000;
const maxCachedKeys = 500;
const version = 'k1';

/** The functions' grants on the KMS key require the same context. */
export const vaultContext = { purpose: 'provider-tokens' } as const;

interface DataKey {
  plaintext: Uint8Array;
  /** The key as encrypted by KMS; it decrypts nothing by itself. */
  wrapped: string;
}

interface VaultOptions {
  client: KMSClient;
  keyId: string;
  clock: Clock;
  /** Only for processes that may decrypt, because the day's key is stored wrapped. */
  shared?: SharedDataKeys;
}

export function awsVault({ client, keyId, clock, shared }: VaultOptions): Vault {
  const decryptedKeys = new BoundedCache<string, Uint8Array>(maxCachedKeys);
  let current: (DataKey & { untilMs: number; uses: number }) | undefined;

  async function getSealingKey(): Promise<DataKey> {
    const now = clock.now();
    if (current && current.untilMs > now && current.uses++ < (shared ? Infinity : maxDataKeyUses)) return current;
    const day = new Date(now).toISOString().slice(0, 10);
    const key = shared ? await getDayKey(shared, day) : await generateDataKey();
    // Random nonces are safe for about four billion texts per key, far more than a deployment seals
    // in a day.
    current = { ...key, untilMs: shared ? Date.parse(day) + dayMs : now + dataKeyTtlMs, uses: 1 };
    return current;
  }

  /** If several processes create the day's key at the same time, the first one wins. */
  async function getDayKey(keys: SharedDataKeys, day: string): Promise<DataKey> {
    const wrapped = (await keys.find(day)) ?? (await keys.putIfAbsent(day, (await generateDataKey()).wrapped));
    return { wrapped, plaintext: await decryptDataKey(wrapped) };
  }

  async function generateDataKey(): Promise<DataKey> {
    const { Plaintext, CiphertextBlob } = await callAws('GenerateDataKey', () =>
      client.send(new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: vaultContext })),
    );
    if (!Plaintext || !CiphertextBlob) throw new Error('KMS returned no data key');
    const key = { plaintext: Plaintext, wrapped: Buffer.from(CiphertextBlob).toString('base64url') };
    decryptedKeys.set(key.wrapped, key.plaintext);
    return key;
  }

  async function decryptDataKey(wrapped: string): Promise<Uint8Array> {
    const cached = decryptedKeys.get(wrapped);
    if (cached) return cached;
    const { Plaintext } = await callAws('Decrypt', () =>
      client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(wrapped, 'base64url'),
          EncryptionContext: vaultContext,
        }),
      ),
    );
    if (!Plaintext) throw new Error('KMS did not decrypt a data key');
    decryptedKeys.set(wrapped, Plaintext);
    return Plaintext;
  }

  return {
    async seal(text, context) {
      const { plaintext, wrapped } = await getSealingKey();
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', plaintext, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, wrapped, sealed.toString('base64url')].join('.');
    },
    async open(sealed, context) {
      const [sealedVersion, wrapped = '', text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (sealedVersion !== version || bytes.length < ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', await decryptDataKey(wrapped), bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      const plaintext = decipher.update(bytes.subarray(ivBytes, -tagBytes));
      try {
        return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
