import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { awsVault, vaultContext } from '../../../shared/platform/aws/vault.ts';
import { keys } from '../../../shared/system/keys.ts';
import { vaultKeyRows } from '../../../shared/system/vault-key-rows.ts';
import { frozenClock, type TestClock } from '../../harness/clock.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

/**
 * A key service that wraps data keys by naming them, and unwraps them for the context they were
 * created with.
 */
function keyService() {
  const keys = new Map<string, { plain: Uint8Array; context: string }>();
  const operations: string[] = [];
  const client = new KMSClient({ region: 'eu-central-1' });
  vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
    if (command instanceof GenerateDataKeyCommand) {
      operations.push('generate');
      const plain = crypto.getRandomValues(new Uint8Array(32));
      const name = `data key ${keys.size}`;
      keys.set(name, { plain, context: JSON.stringify(command.input.EncryptionContext) });
      return { Plaintext: plain, CiphertextBlob: Buffer.from(name) };
    }
    if (command instanceof DecryptCommand) {
      operations.push('decrypt');
      const found = keys.get(Buffer.from(command.input.CiphertextBlob ?? []).toString());
      if (found?.context !== JSON.stringify(command.input.EncryptionContext)) throw new Error('InvalidCiphertext');
      return { Plaintext: found.plain };
    }
    throw new Error('unexpected KMS call');
  });
  return { client, asked: operations, contexts: () => [...keys.values()].map(({ context }) => context) };
}

let service: ReturnType<typeof keyService>;
let clock: TestClock;
const open = () => awsVault({ client: service.client, keyId: 'arn:key', clock });

beforeEach(() => {
  service = keyService();
  clock = frozenClock(Date.UTC(2026, 2, 10));
});

describe('a vault over a key service', () => {
  test('opens what another process sealed, for its own context only', async () => {
    const sealed = await open().seal('a token', 'usr_1 dev_1');
    expect(sealed).not.toContain('token');
    expect(await open().open(sealed, 'usr_1 dev_1')).toBe('a token');
    expect(await open().open(sealed, 'usr_1 dev_2')).toBeUndefined();
  });

  test('opens nothing that was altered or is of another kind', async () => {
    const vault = open();
    const sealed = await vault.seal('a token', 'usr_1 dev_1');
    const [version, key, text = ''] = sealed.split('.');
    const altered = Buffer.from(text, 'base64url');
    altered[20] = (altered[20] ?? 0) ^ 1;
    expect(await vault.open([version, key, altered.toString('base64url')].join('.'), 'usr_1 dev_1')).toBeUndefined();
    expect(await vault.open(`k2.${key}.${text}`, 'usr_1 dev_1')).toBeUndefined();
    expect(await vault.open(`${version}.${key}.AAAA`, 'usr_1 dev_1')).toBeUndefined();
  });

  test('requests one data key in five minutes, and unwraps each foreign one once', async () => {
    const vault = open();
    for (let each = 0; each < 50; each++) await vault.seal('a token', 'usr_1 dev_1');
    expect(service.asked).toEqual(['generate']);
    clock.advance(299_999);
    await vault.seal('a token', 'usr_1 dev_1');
    expect(service.asked).toEqual(['generate']);
    clock.advance(1);
    const sealed = await vault.seal('a token', 'usr_1 dev_1');
    await vault.open(sealed, 'usr_1 dev_1');
    expect(service.asked).toEqual(['generate', 'generate']);
    const other = open();
    await other.open(sealed, 'usr_1 dev_1');
    await other.open(sealed, 'usr_1 dev_1');
    expect(service.asked).toEqual(['generate', 'generate', 'decrypt']);
  });

  test('seals a thousand texts with a data key and no more', async () => {
    const vault = open();
    for (let each = 0; each < 1_001; each++) await vault.seal('t', 'c');
    expect(service.asked).toEqual(['generate', 'generate']);
  });

  test('names the purpose that functions are granted', async () => {
    await open().seal('a token', 'c');
    expect(service.contexts()).toEqual([JSON.stringify(vaultContext)]);
  });
});

describe('processes that share the data key of a day', () => {
  const { table, deps } = memoryDeps();
  const { store } = deps;
  let keyId = '';
  beforeEach(() => {
    keyId = `arn:key/${crypto.randomUUID()}`;
  });
  const process = () =>
    awsVault({ client: service.client, keyId, clock, shared: vaultKeyRows(store).forKmsKey(keyId) });
  const wrappedIn = (sealed: string) => sealed.split('.')[1] ?? '';

  test('call the key service once each, whichever process sealed, and for a new key on the next day', async () => {
    const [one, two, three] = [process(), process(), process()];
    const sealed = await one.seal('a token', 'usr_1 dev_1');
    for (let each = 0; each < 1_500; each++) await one.seal('a token', 'usr_1 dev_1');
    expect(service.asked).toEqual(['generate']);
    expect(wrappedIn(await two.seal('another', 'usr_2 dev_2'))).toBe(wrappedIn(sealed));
    expect(await two.open(sealed, 'usr_1 dev_1')).toBe('a token');
    expect(await three.open(sealed, 'usr_1 dev_1')).toBe('a token');
    await three.seal('a third', 'usr_3 dev_3');
    expect(service.asked).toEqual(['generate', 'decrypt', 'decrypt']);

    clock.advance(86_400_000 - 1);
    expect(wrappedIn(await one.seal('a token', 'usr_1 dev_1'))).toBe(wrappedIn(sealed));
    clock.advance(1);
    const next = await one.seal('a token', 'usr_1 dev_1');
    expect(wrappedIn(next)).not.toBe(wrappedIn(sealed));
    expect(wrappedIn(await two.seal('another', 'usr_2 dev_2'))).toBe(wrappedIn(next));
    expect(service.asked.slice(3)).toEqual(['generate', 'decrypt']);
    expect([await two.open(sealed, 'usr_1 dev_1'), await two.open(next, 'usr_1 dev_1')]).toEqual([
      'a token',
      'a token',
    ]);
    expect(service.asked).toHaveLength(5);
  });

  test('that start a day at the same moment agree on one key', async () => {
    const sealed = await Promise.all([1, 2, 3, 4].map(() => process().seal('a token', 'usr_1 dev_1')));
    expect(new Set(sealed.map(wrappedIn)).size).toBe(1);
    for (const each of sealed) expect(await process().open(each, 'usr_1 dev_1')).toBe('a token');
  });

  test('open what was sealed even when the row of its day is gone', async () => {
    const sealed = await process().seal('a token', 'usr_1 dev_1');
    const rows = table.rows().filter(({ pk }) => pk === `VAULT#${keyId}`);
    expect(rows.map(({ sk, ttl }) => [sk, ttl])).toEqual([['2026-03-10', Date.UTC(2026, 2, 12) / 1_000]]);
    await table.write({ kind: 'delete', key: keys.vaultKey(keyId, '2026-03-10') });
    expect(await process().open(sealed, 'usr_1 dev_1')).toBe('a token');
  });

  test('of a deployment with another KMS key have their own data keys', async () => {
    const sealed = await process().seal('a token', 'usr_1 dev_1');
    keyId = `${keyId}/other`;
    expect(wrappedIn(await process().seal('a token', 'usr_1 dev_1'))).not.toBe(wrappedIn(sealed));
  });

  test('store nothing in the table that opens a text without the key service', async () => {
    const sealed = await process().seal('a token', 'usr_1 dev_1');
    const without = awsVault({
      client: keyService().client,
      keyId,
      clock,
      shared: vaultKeyRows(store).forKmsKey(keyId),
    });
    await expect(without.open(sealed, 'usr_1 dev_1')).rejects.toThrow();
  });
});
