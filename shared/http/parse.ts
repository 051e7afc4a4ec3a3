// Everything a request brings is parsed against its route before a handler sees it; what does not fit is named by its path.
import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback } from 'node:zlib';
import * as z from 'zod';
import type { ApiForm } from '../model/account.ts';
import { Failure, type FailureCode } from '../model/failure.ts';
import type { BodyTurns } from './body-turns.ts';
import { failureStatus } from './failure-status.ts';
import { mustBeWithin } from './json-shape.ts';
import type { Incoming } from './message.ts';
import type { Route } from './route.ts';

const usualBodyBytes = 1_000_000;

const gunzip = promisify(gunzipWithCallback);

function parseWith<T>(schema: z.ZodType<T>, value: unknown, code: FailureCode, what: string): T {
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

/** What no schema of the path's takes names nothing that could be there. */
export function parseParams(route: Route, given: Record<string, string>): Record<string, string> {
  const parsed = z.record(z.string(), z.string().max(longestParameter)).safeParse(given);
  const fitting = parsed.success && route.params ? route.params.safeParse(parsed.data) : parsed;
  if (fitting.success) return { ...parsed.data };
  const code = route.failures.find((each) => failureStatus[each] === 404) ?? 'not_found';
  throw new Failure(code, `There is nothing of that name: see ${route.path} in /docs.`);
}
const longestParameter = 255;

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

/** Does the work with the body, which it holds for no longer. */
export async function withBody<T>(
  route: Route,
  request: Incoming,
  turns: BodyTurns,
  work: (body: unknown) => Promise<T>,
): Promise<T> {
  const { body: schema } = route;
  if (!schema) return work(undefined);
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const bytes = request.body;
  const most = route.bodyLimits?.wireBytes ?? usualBodyBytes;
  if (bytes.byteLength > most) throw new Failure('payload_too_large', `The body may have at most ${most} bytes.`);
  if (bytes.byteLength === 0) throw invalidBody('A JSON body is required.');
  if (type !== 'application/json')
    throw new Failure('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  return turns(
    () => unpacked(route, request, bytes),
    (text) => work(parseWith(schema, jsonIn(route, text), 'invalid_body', 'The body')),
  );
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

const usualShape = { depth: 32, values: 100_000, members: 100_000 };
/** JSON.parse makes a field of it, and code that copies objects would lose that without a word. As a value it is a text like any other. */
const protoField = new RegExp(`(?<!\\\\)"${[...'__proto__'].map(orEscaped).join('')}"\\s*:`);

function orEscaped(letter: string): string {
  const [first, second] = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|\\\\u00${first}[${second}${second?.toUpperCase()}])`;
}

function jsonIn({ bodyLimits }: Route, bytes: Uint8Array): unknown {
  mustBeWithin({ ...usualShape, ...bodyLimits?.shape }, bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const mayHaveIt = text.includes('proto') || text.includes('\\u00');
    if (!(mayHaveIt && protoField.test(text))) return JSON.parse(text);
  } catch (cause) {
    throw new Failure('invalid_body', 'The body is not valid JSON.', { cause });
  }
  throw invalidBody('The body has a field __proto__, which is no field of ours.');
}

const invalidBody = (message: string) => new Failure('invalid_body', message);
const invalidParameter = (path: string, message: string, sentence: string) =>
  new Failure('invalid_request', sentence, { details: { issues: [{ path, message }] } });
