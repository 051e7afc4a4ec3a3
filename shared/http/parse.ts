// Everything a request brings is parsed against its route before a handler sees it; what does not fit is named by its path.
import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback } from 'node:zlib';
import type * as z from 'zod';
import type { ApiForm } from '../model/account.ts';
import { Failure, type FailureCode } from '../model/failure.ts';
import type { Incoming } from './message.ts';
import type { Route } from './route.ts';

export const usualBodyBytes = 1_000_000;

const gunzip = promisify(gunzipWithCallback);

export function parseWith<T>(schema: z.ZodType<T>, value: unknown, code: FailureCode, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'unknown field' }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  );
  const [first] = issues;
  throw new Failure(
    code,
    `${what} is invalid${first ? `: ${first.path ? `${first.path}: ` : ''}${first.message}` : ''}.`,
    {
      details: { issues },
    },
  );
}

export function parseQuery(route: Route, search: URLSearchParams, form: ApiForm = 2): unknown {
  const otherForm = (form === 1 ? route.otherFormOfForm1 : undefined) ?? route.otherForm ?? {};
  for (const [name, instead] of Object.entries(otherForm))
    if (search.has(name))
      throw invalidParameter(name, `use ${instead}`, `This call has no parameter ${name}: use ${instead}.`);
  if (!route.query) return {};
  const names = Object.keys(route.query.shape).filter((name) => search.has(name));
  const twice = names.find((name) => search.getAll(name).length > 1);
  if (twice !== undefined)
    throw invalidParameter(twice, 'given twice', `The parameter ${twice} may be given only once.`);
  const given = Object.fromEntries(names.map((name) => [name, search.get(name)]));
  return parseWith(route.query, given, 'invalid_request', 'A query parameter');
}

export function parseHeaders(route: Route, headers: Incoming['headers']): unknown {
  if (!route.headers) return {};
  const given = Object.fromEntries(
    Object.keys(route.headers.shape).map((name) => [name, headers.get(name) ?? undefined]),
  );
  return parseWith(route.headers, given, 'invalid_request', 'A header');
}

export async function parseBody(route: Route, request: Incoming): Promise<unknown> {
  if (!route.body) return undefined;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const bytes = request.body;
  const most = route.bodyLimits?.wireBytes ?? usualBodyBytes;
  if (bytes.byteLength > most) throw new Failure('payload_too_large', `The body may have at most ${most} bytes.`);
  if (bytes.byteLength === 0) throw invalidBody('A JSON body is required.');
  if (type !== 'application/json')
    throw new Failure('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  return parseWith(route.body, jsonIn(await unpacked(route, request, bytes)), 'invalid_body', 'The body');
}

async function unpacked(route: Route, request: Incoming, bytes: Uint8Array): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return bytes;
  if (encoding !== 'gzip' || !route.bodyLimits)
    throw new Failure(
      'unsupported_media_type',
      `Send the body ${route.bodyLimits ? 'plain or with Content-Encoding: gzip' : 'without a Content-Encoding'}.`,
    );
  const most = route.bodyLimits.unpackedBytes;
  try {
    return await gunzip(bytes, { maxOutputLength: most });
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new Failure('payload_too_large', `The unpacked body may have at most ${most} bytes.`, { cause });
    throw new Failure('invalid_body', 'The body is not valid gzip.', { cause });
  }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // No field has this name, and code that copies objects would lose it without a word.
    if (text.includes('"__proto__"')) throw invalidBody('The body has a field __proto__, which is no field of ours.');
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('invalid_body', 'The body is not valid JSON.', { cause });
  }
}

const invalidBody = (message: string) => new Failure('invalid_body', message);
const invalidParameter = (path: string, message: string, sentence: string) =>
  new Failure('invalid_request', sentence, { details: { issues: [{ path, message }] } });
