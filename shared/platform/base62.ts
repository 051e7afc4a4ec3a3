// Encodes bytes as digits and letters, which no URL or header has to escape.
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The last `length` digits of the number that the bytes represent. */
export function base62(bytes: Uint8Array, length: number): string {
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let position = 0; position < length; position++) {
    text = base62Digits[Number(number % 62n)] + text;
    number /= 62n;
  }
  return text;
}
