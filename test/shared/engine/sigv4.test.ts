import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signed } from '../../../shared/engine/aws/sigv4.ts';

class Sha256 {
  readonly hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    if (secret === undefined) this.hash = createHash('sha256');
    else this.hash = createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret));
  }
  update(data: Uint8Array) {
    this.hash.update(data);
  }
  async digest() {
    return new Uint8Array(this.hash.digest());
  }
  reset() {}
}

function bytesOf(source: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

const token = fc.stringMatching(/^[A-Za-z0-9+/=]{1,60}$/);
const host = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}(\.[a-z][a-z0-9]{0,8}){0,3}(:[1-9][0-9]{3})?$/);
const path = fc
  .stringMatching(/^\/([A-Za-z0-9_.~ %!'()*@:-]{1,8}\/?){0,3}$/)
  .filter((text) => !/%(?![0-9A-F]{2})/.test(text));

describe('a signed request', () => {
  test('carries the same headers as one signed by the official signer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          body: fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
          region: fc.constantFrom('eu-central-1', 'us-east-1', 'cn-north-1', 'ap-southeast-2'),
          signingName: fc.constantFrom('dynamodb', 'sqs', 'events', 'secretsmanager'),
          target: fc.stringMatching(/^[A-Za-z_0-9]{1,20}\.[A-Za-z]{1,20}$/),
          now: fc.integer({ min: 0, max: 4_102_444_800_000 }),
          accessKeyId: token,
          secretAccessKey: fc.string({ minLength: 1 }),
          sessionToken: fc.option(token, { nil: undefined }),
          host,
          path,
        }),
        async ({ body, region, signingName, target, now, accessKeyId, secretAccessKey, sessionToken, ...place }) => {
          const url = new URL(`http://${place.host}${place.path}`);
          const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
          const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
          const bytes = Buffer.from(body);
          const ours = signed({ url, headers, body: bytes, region, signingName, credentials, now });
          const official = new SignatureV4({
            service: signingName,
            region,
            credentials,
            sha256: Sha256,
            applyChecksum: false,
          });
          const theirs = await official.sign(
            {
              method: 'POST',
              protocol: url.protocol,
              hostname: url.hostname,
              path: url.pathname,
              headers: { ...headers, host: url.host },
              body: bytes,
            },
            { signingDate: new Date(now) },
          );
          expect(ours).toEqual(theirs.headers);
        },
      ),
      { numRuns: 300 },
    );
  });
});
