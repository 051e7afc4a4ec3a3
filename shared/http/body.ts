// Checks a body before it is parsed: its size, encoding and shape. The validators then receive only
// plain JSON text.
import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback } from 'node:zlib';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import type { BodyBulkhead } from './body-bulkhead.ts';
import type { BodyLimits, Endpoint, NamedRoute } from './endpoint.ts';
import { assertJsonLimits } from './json-limits.ts';

/** Many times the size of a token, a user or a URL. Routes that accept more declare it. */
const defaultMaxBodyBytes = 16_000;
const defaultJsonLimits = { fields: 1_000, depth: 32, values: 10_000, members: 10_000 };
const jsonType = 'application/json';

const gunzip = promisify(gunzipWithCallback);

/** Undefined if the route accepts no body. The body is processed inside the bulkhead. */
export function createBodyReader(endpoint: Endpoint, bulkhead: BodyBulkhead) {
  const limits = getBodyLimits(endpoint);
  if (!limits) return undefined;
  return acceptsJson(endpoint.route) ? createJsonBodyReader(limits, bulkhead) : createRawBodyReader(limits);
}

/** Undefined if the route accepts no body. */
export const getBodyLimits = ({ route, bodyLimits }: Pick<Endpoint, 'route' | 'bodyLimits'>): BodyLimits | undefined =>
  route.request?.body && (bodyLimits ?? { wireBytes: defaultMaxBodyBytes });

/**
 * Whether the body is parsed. A schema that is not a zod schema only documents the body, as for raw
 * bodies.
 */
export function acceptsJson({ request }: NamedRoute): boolean {
  const media = request?.body?.content[jsonType];
  return media !== undefined && 'schema' in media && media.schema instanceof z.ZodType;
}

const createRawBodyReader =
  ({ wireBytes }: BodyLimits): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    await readBytes(c, wireBytes);
    await next();
  };

const createJsonBodyReader =
  (limits: BodyLimits, bulkhead: BodyBulkhead): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const bytes = await readBytes(c, limits.wireBytes);
    if (bytes.byteLength === 0) throw invalidBody('A JSON body is required.');
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (type !== jsonType)
      throw new Failure('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
    // Hono rejects a parameter without a value and a space before a semicolon; the standard allows
    // both.
    c.req.raw.headers.set('content-type', jsonType);
    await bulkhead(
      () => decompress(c.req.header('content-encoding'), limits, bytes),
      async (decompressed) => {
        c.req.bodyCache.text = asCachedText(decodeJsonText(limits, decompressed));
        await next();
      },
    );
  };

/**
 * Puts the bytes into Hono's cache of bodies it has read, and decodes them only when they are
 * requested.
 */
export function setLazyBody({ bodyCache }: HonoRequest, body: () => Uint8Array<ArrayBuffer>): void {
  let pendingBuffer: Promise<ArrayBuffer> | undefined;
  const get = () => {
    pendingBuffer ??= Promise.resolve(toArrayBuffer(body()));
    return pendingBuffer;
  };
  Object.defineProperty(bodyCache, 'arrayBuffer', { get, enumerable: true });
}

/** A small array may share its buffer with others. */
const toArrayBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);

/** The cast is safe because Hono stores promises there, although its types do not say so. */
const asCachedText = (text: string) => Promise.resolve(text) as unknown as string;

/** A body whose Content-Length is too large is not read. */
async function readBytes(c: Context<ApiEnv>, max: number): Promise<Uint8Array> {
  assertMaxBytes(Number(c.req.header('content-length') ?? 0), max);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  assertMaxBytes(bytes.byteLength, max);
  return bytes;
}

function assertMaxBytes(count: number, max: number): void {
  if (count > max)
    throw new Failure('payload_too_large', `The body must not exceed ${max.toLocaleString('en')} bytes.`);
}

async function decompress(header: string | undefined, limits: BodyLimits, bytes: Uint8Array): Promise<Uint8Array> {
  const { decompressedBytes: maxBytes } = limits;
  const encoding = header?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return bytes;
  if (encoding !== 'gzip' || maxBytes === undefined)
    throw new Failure(
      'unsupported_media_type',
      `Send the body ${maxBytes === undefined ? 'without a Content-Encoding' : 'plain or with Content-Encoding: gzip'}.`,
    );
  try {
    return await gunzip(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new Failure(
        'payload_too_large',
        `The decompressed body must not exceed ${maxBytes.toLocaleString('en')} bytes.`,
        { cause },
      );
    throw new Failure('invalid_body', 'The body is not valid gzip.', { cause });
  }
}

/**
 * JSON.parse would create a field with this name, and code that copies objects would silently lose
 * it. As a value, the text is harmless.
 */
const protoField = new RegExp(`(?<!\\\\)"${[...'__proto__'].map(plainOrEscaped).join('')}"\\s*:`);

function plainOrEscaped(character: string): string {
  const [first, second] = character.charCodeAt(0).toString(16);
  return `(?:${character}|\\\\u00${first}[${second}${second?.toUpperCase()}])`;
}

function decodeJsonText({ shape }: BodyLimits, bytes: Uint8Array): string {
  assertJsonLimits({ ...defaultJsonLimits, ...shape }, bytes);
  const text = decodeUtf8(bytes);
  const mightContainProto = text.includes('proto') || text.includes('\\u00');
  if (mightContainProto && protoField.test(text))
    throw invalidBody('The body contains a field named __proto__. Remove it.');
  return text;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('invalid_body', 'The body is not valid JSON.', { cause });
  }
}

const invalidBody = (message: string) => new Failure('invalid_body', message);
