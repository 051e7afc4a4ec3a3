// Google's published keys for pushes, and the check of whether one of them signed a body.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { parseResponseJson } from '../kit/request-flow.ts';

const Keyset = z.looseObject({
  key: z.array(
    z.looseObject({
      keyId: z.number().int(),
      status: z.string().nullish(),
      keyData: z.looseObject({ value: z.string() }),
    }),
  ),
});

/** The coordinates of the point are fields 3 and 4 of the key; other fields are skipped. */
function parseCoordinates(bytes: Buffer): { x: Buffer; y: Buffer } | undefined {
  const fields = new Map<number, Buffer>();
  let offset = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; offset < bytes.length && shift <= 28; shift += 7) {
      const byte = bytes[offset++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (offset < bytes.length) {
    const tag = readVarint();
    if ((tag & 7) === 0) readVarint();
    else if ((tag & 7) === 2) {
      const length = readVarint();
      fields.set(tag >> 3, bytes.subarray(offset, offset + length));
      offset += length;
    } else return undefined;
  }
  const [x, y] = [fields.get(3), fields.get(4)];
  return x && y ? { x, y } : undefined;
}

/** A big integer may start with a zero as its sign byte, or lack leading zeros. */
const encodeCoordinate = (bytes: Buffer): string =>
  Buffer.concat([Buffer.alloc(32), bytes])
    .subarray(-32)
    .toString('base64url');

function parsePublicKey(value: string): KeyObject | undefined {
  const point = parseCoordinates(Buffer.from(value, 'base64'));
  if (!point) return undefined;
  try {
    return createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: encodeCoordinate(point.x), y: encodeCoordinate(point.y) },
      format: 'jwk',
    });
  } catch {
    // The coordinates are not on the curve, so nothing can be signed with this key.
    return undefined;
  }
}

const signatureVersion = 1;
const signatureHeaderBytes = 5;

export type SignatureCheck = 'right' | 'wrong' | 'unknown_key';

/**
 * `signature` is a version byte of 1, the key id in four bytes, and the signature of the raw body.
 */
export function checkSignature(keyset: string, signature: string, body: Uint8Array): SignatureCheck {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length <= signatureHeaderBytes || bytes[0] !== signatureVersion) return 'wrong';
  const keys = Keyset.safeParse(parseResponseJson({ text: keyset })).data?.key ?? [];
  const matchingKey = keys.find(
    ({ keyId, status }) => keyId === bytes.readUInt32BE(1) && (status ?? 'ENABLED') === 'ENABLED',
  );
  const key = matchingKey && parsePublicKey(matchingKey.keyData.value);
  if (!key) return 'unknown_key';
  const isValid = verify('sha256', body, { key, dsaEncoding: 'der' }, bytes.subarray(signatureHeaderBytes));
  return isValid ? 'right' : 'wrong';
}
