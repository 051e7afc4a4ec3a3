// Google's keys for its pushes, as it publishes them, and whether one of them has signed a body.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { jsonIn } from '../kit/vendor.ts';

const Keyset = z.looseObject({
  key: z.array(
    z.looseObject({
      keyId: z.number().int(),
      status: z.string().nullish(),
      keyData: z.looseObject({ value: z.string() }),
    }),
  ),
});

/** The coordinates of a point are the third and fourth field of the key; any other field is stepped over. */
function coordinatesIn(bytes: Buffer): { x: Buffer; y: Buffer } | undefined {
  const found = new Map<number, Buffer>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < bytes.length && shift <= 28; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) varint();
    else if ((tag & 7) === 2) {
      const length = varint();
      found.set(tag >> 3, bytes.subarray(at, at + length));
      at += length;
    } else return undefined;
  }
  const [x, y] = [found.get(3), found.get(4)];
  return x && y ? { x, y } : undefined;
}

/** Big numbers may begin with a zero that says they are not negative, or lack those in front. */
const coordinate = (bytes: Buffer): string =>
  Buffer.concat([Buffer.alloc(32), bytes])
    .subarray(-32)
    .toString('base64url');

function publicKey(value: string): KeyObject | undefined {
  const point = coordinatesIn(Buffer.from(value, 'base64'));
  if (!point) return undefined;
  try {
    return createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: coordinate(point.x), y: coordinate(point.y) },
      format: 'jwk',
    });
  } catch {
    // No point of the curve: a key that nothing can be signed with.
    return undefined;
  }
}

const prefix = 1;
const prefixBytes = 5;

export type SignatureVerdict = 'right' | 'wrong' | 'unknown_key';

/** `signature`: a one, the number of the key in four bytes, then the signature itself over the body as it came. */
export function judgeSignature(keyset: string, signature: string, body: Uint8Array): SignatureVerdict {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length <= prefixBytes || bytes[0] !== prefix) return 'wrong';
  const keys = Keyset.safeParse(jsonIn({ text: keyset })).data?.key ?? [];
  const known = keys.find(
    ({ keyId, status }) => keyId === bytes.readUInt32BE(1) && (status ?? 'ENABLED') === 'ENABLED',
  );
  const key = known && publicKey(known.keyData.value);
  if (!key) return 'unknown_key';
  const isRight = verify('sha256', body, { key, dsaEncoding: 'der' }, bytes.subarray(prefixBytes));
  return isRight ? 'right' : 'wrong';
}
