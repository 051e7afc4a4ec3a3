// What an API key looks like: a prefix for its environment, 256 random bits in base62, and a checksum that catches typing mistakes.
import { createHash } from 'node:crypto';
import type { Environment } from '../model/account.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomDigits = 43;
const checksumDigits = 6;
const shape = new RegExp(`^sk_(live|sandbox)_[${digits}]{${randomDigits + checksumDigits}}$`);

export const apiKeyLifeMs = 90 * 24 * 3600 * 1000;

export function base62(bytes: Uint8Array, length: number): string {
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let place = 0; place < length; place++) {
    text = digits[Number(number % 62n)] + text;
    number /= 62n;
  }
  return text;
}

const checksum = (text: string): string =>
  base62(createHash('sha256').update(text).digest().subarray(0, 8), checksumDigits);

export function makeApiKey(env: Environment, random: Uint8Array): string {
  const text = `sk_${env}_${base62(random.subarray(0, 32), randomDigits)}`;
  return text + checksum(text);
}

/** Whether it can be a key at all; a mistyped one is refused here, before anything is looked up. */
export function isApiKey(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits);
}

/** Enough to recognise a key in a list, too little to use it. */
export const shownApiKey = (text: string): string => `${text.slice(0, text.lastIndexOf('_') + 1)}…${text.slice(-4)}`;
