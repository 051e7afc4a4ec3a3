import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isApiKey, makeApiKey, maskApiKey } from '../../../shared/accounts/api-key.ts';
import { base62 } from '../../../shared/platform/base62.ts';
import { openKeyring } from '../../../shared/platform/keyring.ts';

const keyring = openKeyring('a root secret of more than 32 characters');
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const env = fc.constantFrom('live' as const, 'sandbox' as const);
const key = fc.tuple(env, secret).map(([each, bytes]) => makeApiKey(keyring, each, bytes));

const parseBase62 = (text: string) => [...text].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
const toBigInt = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);

describe('base62', () => {
  test('writes the exact number, with leading zeros', () => {
    fc.assert(
      fc.property(secret, (bytes) => {
        const text = base62(bytes, 43);
        expect(text).toHaveLength(43);
        expect(parseBase62(text)).toBe(toBigInt(bytes));
      }),
    );
  });

  test('keeps the last digits when not all of them fit', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 1, max: 42 }), (bytes, length) => {
        expect(parseBase62(base62(bytes, length))).toBe(toBigInt(bytes) % 62n ** BigInt(length));
      }),
    );
  });

  test('fits 256 zero bits and 256 one bits into 43 digits', () => {
    expect(base62(new Uint8Array(32), 43)).toBe('0'.repeat(43));
    expect(parseBase62(base62(new Uint8Array(32).fill(255), 43))).toBe(2n ** 256n - 1n);
  });
});

describe('an API key', () => {
  test('has its prefix, 43 digits and a checksum of 6 digits, and is recognized', () => {
    fc.assert(
      fc.property(env, secret, (each, bytes) => {
        const apiKey = makeApiKey(keyring, each, bytes);
        expect(apiKey).toMatch(new RegExp(`^sk_${each}_[0-9A-Za-z]{49}$`));
        expect(apiKey.slice(-49, -6)).toBe(base62(bytes, 43));
        expect(isApiKey(keyring, apiKey)).toBe(true);
      }),
    );
  });

  test('with any one character changed is rejected', () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.constantFrom(...digits, '_', '-', ' ', 'é'), (apiKey, offset, other) => {
        const at = offset % apiKey.length;
        fc.pre(apiKey[at] !== other);
        expect(isApiKey(keyring, apiKey.slice(0, at) + other + apiKey.slice(at + 1))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('with two neighboring characters swapped, one missing or one added is rejected', () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.constantFrom(...digits), (apiKey, offset, extra) => {
        const at = offset % (apiKey.length - 1);
        const [one = '', two = ''] = apiKey.slice(at, at + 2);
        if (one !== two) expect(isApiKey(keyring, apiKey.slice(0, at) + two + one + apiKey.slice(at + 2))).toBe(false);
        expect(isApiKey(keyring, apiKey.slice(0, at) + apiKey.slice(at + 1))).toBe(false);
        expect(isApiKey(keyring, apiKey.slice(0, at) + extra + apiKey.slice(at))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('does not pass as a key of the other environment', () => {
    fc.assert(
      fc.property(secret, (bytes) => {
        expect(isApiKey(keyring, makeApiKey(keyring, 'live', bytes).replace('live', 'sandbox'))).toBe(false);
        expect(isApiKey(keyring, makeApiKey(keyring, 'sandbox', bytes).replace('sandbox', 'live'))).toBe(false);
      }),
    );
  });

  test('with anything before or after it is rejected', () => {
    fc.assert(
      fc.property(key, fc.constantFrom(' ', '\n', '\t', 'x', '\u0000'), (apiKey, more) => {
        expect([isApiKey(keyring, apiKey + more), isApiKey(keyring, more + apiKey)]).toEqual([false, false]);
      }),
    );
  });

  test('is masked to its prefix and its last four characters', () => {
    fc.assert(
      fc.property(env, secret, (each, bytes) => {
        const apiKey = makeApiKey(keyring, each, bytes);
        expect(maskApiKey(apiKey)).toBe(`sk_${each}_…${apiKey.slice(-4)}`);
      }),
    );
  });
});

test('random text is not a key', () => {
  fc.assert(fc.property(fc.string(), (text) => !isApiKey(keyring, text)));
});

test('a key of another deployment, or one with a plain SHA-256 checksum, is rejected', () => {
  const other = openKeyring('another root secret of more than 32 characters');
  fc.assert(
    fc.property(env, secret, (each, bytes) => {
      expect(isApiKey(keyring, makeApiKey(other, each, bytes))).toBe(false);
      const text = `sk_${each}_${base62(bytes, 43)}`;
      const plainChecksum = base62(createHash('sha256').update(text).digest().subarray(0, 8), 6);
      expect(isApiKey(keyring, text + plainChecksum)).toBe(false);
    }),
  );
});
