// The Vault port over KMS: each text is sealed under a data key that only KMS can open again. Processes that may open keys
// share one each day, so that a process asks KMS once for each day that tokens were sealed on. A process that may only
// seal takes data keys of its own, each for a while.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { BoundedCache } from '../bounded-cache.ts';
import type { Clock, SharedDataKeys, Vault } from '../ports.ts';
import { dayMs } from '../time/local-day.ts';
import { asking } from './retries.ts';

const ivBytes = 12;
const tagBytes = 16;
/** A data key of one process serves so long, and so often. */
const keyMs = 300_000;
const keyUses = 1_000;
const maxKeys = 500;
const version = 'k1';

/** The functions' grants on the key name the same. */
export const vaultContext = { purpose: 'vendor-tokens' } as const;

interface DataKey {
  plain: Uint8Array;
  /** As KMS gave it out: it opens nothing by itself. */
  wrapped: string;
}

interface VaultParts {
  client: KMSClient;
  keyId: string;
  clock: Clock;
  /** Only for who is granted to open keys: the day's key comes wrapped. */
  shared?: SharedDataKeys;
}

export function awsVault({ client, keyId, clock, shared }: VaultParts): Vault {
  const opened = new BoundedCache<string, Uint8Array>(maxKeys);
  let current: (DataKey & { untilMs: number; uses: number }) | undefined;

  async function keyToSealWith(): Promise<DataKey> {
    const now = clock.now();
    if (current && current.untilMs > now && current.uses++ < (shared ? Infinity : keyUses)) return current;
    const day = new Date(now).toISOString().slice(0, 10);
    const key = shared ? await keyOfDay(shared, day) : await newKey();
    // Random nonces are good for some four thousand million texts under one key, far more than a deployment seals in a day.
    current = { ...key, untilMs: shared ? Date.parse(day) + dayMs : now + keyMs, uses: 1 };
    return current;
  }

  /** Of several processes that make it at the same moment, the first one's. */
  async function keyOfDay(keys: SharedDataKeys, day: string): Promise<DataKey> {
    const wrapped = (await keys.find(day)) ?? (await keys.offer(day, (await newKey()).wrapped));
    return { wrapped, plain: await keyOf(wrapped) };
  }

  async function newKey(): Promise<DataKey> {
    const { Plaintext, CiphertextBlob } = await asking('GenerateDataKey', () =>
      client.send(new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: vaultContext })),
    );
    if (!Plaintext || !CiphertextBlob) throw new Error('KMS gave no data key');
    const key = { plain: Plaintext, wrapped: Buffer.from(CiphertextBlob).toString('base64url') };
    opened.set(key.wrapped, key.plain);
    return key;
  }

  async function keyOf(wrapped: string): Promise<Uint8Array> {
    const known = opened.get(wrapped);
    if (known) return known;
    const { Plaintext } = await asking('Decrypt', () =>
      client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(wrapped, 'base64url'),
          EncryptionContext: vaultContext,
        }),
      ),
    );
    if (!Plaintext) throw new Error('KMS did not open a data key');
    opened.set(wrapped, Plaintext);
    return Plaintext;
  }

  return {
    async seal(text, context) {
      const { plain, wrapped } = await keyToSealWith();
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', plain, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, wrapped, sealed.toString('base64url')].join('.');
    },
    async open(sealed, context) {
      const [written, wrapped = '', text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (written !== version || bytes.length < ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', await keyOf(wrapped), bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      const plain = decipher.update(bytes.subarray(ivBytes, -tagBytes));
      try {
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
