// The format of an API key: a prefix for its environment, 256 random bits in base62, and a checksum
// that only this deployment can compute. A mistyped or invented key is rejected without a lookup.

import { timingSafeEqual } from 'node:crypto';
import { base62, base62Digits } from '../platform/base62.ts';
import type { Keyring } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';

const randomDigits = 43;
const checksumDigits = 6;
const apiKeyPattern = new RegExp(`^sk_(live|sandbox)_[${base62Digits}]{${randomDigits + checksumDigits}}$`);

export const apiKeyLifetimeMs = 90 * 24 * 3600 * 1000;

const checksum = (keyring: Keyring, text: string): string =>
  base62(Buffer.from(keyring.hash('api-key-checksum', text), 'base64url').subarray(0, 8), checksumDigits);

export function makeApiKey(keyring: Keyring, env: Environment, random: Uint8Array): string {
  const text = `sk_${env}_${base62(random.subarray(0, 32), randomDigits)}`;
  return text + checksum(keyring, text);
}

/** Whether the text can be a key of this deployment. */
export function isApiKey(keyring: Keyring, text: string): boolean {
  if (!apiKeyPattern.test(text)) return false;
  const expected = checksum(keyring, text.slice(0, -checksumDigits));
  return timingSafeEqual(Buffer.from(expected), Buffer.from(text.slice(-checksumDigits)));
}

/** Shows enough to recognize a key in a list, and too little to use it. */
export const maskApiKey = (text: string): string => `${text.slice(0, text.lastIndexOf('_') + 1)}…${text.slice(-4)}`;
