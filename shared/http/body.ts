// A body before it is parsed: its size, its packing, its shape. The validators then find nothing but the text of plain JSON.
import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback } from 'node:zlib';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import type { BodyBulkhead } from './body-bulkhead.ts';
import type { BodyLimits, Endpoint, NamedRoute } from './endpoint.ts';
import { assertJsonLimits } from './json-limits.ts';

/**
 * A token, a user or an address of the web fits in it many times over; a route that takes more says
 * so.
 */
const defaultMaxBodyBytes = 16_000;
const defaultJsonLimits = { fields: 1_000, depth: 32, values: 10_000, members: 10_000 };
const jsonType = 'application/json';

const gunzip = promisify(gunzipWithCallback);

/** Undefined where a route takes no body. The work with a body is done inside of the bulkhead. */
export function createBodyReader(endpoint: Endpoint, bulkhead: BodyBulkhead) {
  const limits = getBodyLimits(endpoint);
  if (!limits) return undefined;
  return acceptsJson(endpoint.route) ? createJsonBodyReader(limits, bulkhead) : createRawBodyReader(limits);
}

/** Undefined where a route takes no body. */
export const getBodyLimits = ({ route, bodyLimits }: Pick<Endpoint, 'route' | 'bodyLimits'>): BodyLimits | undefined =>
  route.request?.body && (bodyLimits ?? { wireBytes: defaultMaxBodyBytes });

/** Whether its body is parsed. A schema that is no zod schema only describes, as that of a raw body does. */
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
    // Hono takes no parameter without a value, and no space before a semicolon, both of which the standard allows.
    c.req.raw.headers.set('content-type', jsonType);
    await bulkhead(
      () => decompress(c.req.header('content-encoding'), limits, bytes),
      async (decompressed) => {
        c.req.bodyCache.text = asCachedText(decodeJsonText(limits, decompressed));
        await next();
      },
    );
  };

/** Hono finds the bytes where it keeps what it has read itself, once somebody asks for them. */
export function setLazyBody({ bodyCache }: HonoRequest, body: () => Uint8Array<ArrayBuffer>): void {
  let pendingBuffer: Promise<ArrayBuffer> | undefined;
  const get = () => {
    pendingBuffer ??= Promise.resolve(toArrayBuffer(body()));
    return pendingBuffer;
  };
  Object.defineProperty(bodyCache, 'arrayBuffer', { get, enumerable: true });
}

/** Small ones may stand in a buffer with others. */
const toArrayBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);

/** Holds because Hono keeps promises there, whatever its types say. */
const asCachedText = (text: string) => Promise.resolve(text) as unknown as string;

/** What says itself that it is too long is not read. */
async function readBytes(c: Context<ApiEnv>, max: number): Promise<Uint8Array> {
  assertMaxBytes(Number(c.req.header('content-length') ?? 0), max);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  assertMaxBytes(bytes.byteLength, max);
  return bytes;
}

function assertMaxBytes(count: number, max: number): void {
  if (count > max) throw new Failure('payload_too_large', `The body must not exceed ${max} bytes.`);
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
      throw new Failure('payload_too_large', `The decompressed body must not exceed ${maxBytes} bytes.`, { cause });
    throw new Failure('invalid_body', 'The body is not valid gzip.', { cause });
  }
}

/** JSON.parse makes a field of it, and code that copies objects would lose that without a word. As a value it is a text like any other. */
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
    throw invalidBody('The body has a field named __proto__: leave it out.');
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
