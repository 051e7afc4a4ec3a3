// A passkey in software: answers WebAuthn challenges as a browser with an authenticator would, with
// whatever the test wants to be wrong.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type CborValue = number | string | Uint8Array | Map<number | string, CborValue>;

/** The few types of CBOR that an attestation without a statement needs. */
function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([encodeHead(2, value.length), value]);
  return Buffer.concat([
    encodeHead(5, value.size),
    ...[...value].flatMap(([key, each]) => [encodeCbor(key), encodeCbor(each)]),
  ]);
}

function encodeHead(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

export interface AnswerOptions {
  origin: string;
  rpId?: string;
  /** Whether the user's fingerprint or PIN was checked. */
  isVerified?: boolean;
  counter?: number;
}

export function createAuthenticator(credentialId = base64url(randomBytes(16))) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = encodeCbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );

  const buildData = ({ origin, rpId, isVerified = true, counter = 0 }: AnswerOptions, attested: Uint8Array[] = []) => {
    const flags = userPresent | (isVerified ? userVerified : 0) | (attested.length > 0 ? hasCredential : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId ?? new URL(origin).hostname), Buffer.from([flags]), count, ...attested]);
  };
  const buildClientData = (type: string, challenge: string, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} } as const;

  return {
    credentialId,
    create(challenge: string, options: AnswerOptions) {
      const id = Buffer.from(credentialId, 'base64url');
      const data = buildData(options, [Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, coseKey]);
      const attestation = new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(buildClientData('webauthn.create', challenge, options.origin)),
          attestationObject: base64url(encodeCbor(attestation)),
        },
      };
    },
    get(challenge: string, options: AnswerOptions) {
      const clientData = buildClientData('webauthn.get', challenge, options.origin);
      const data = buildData(options);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
        },
      };
    },
  };
}
