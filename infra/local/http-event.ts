// API Gateway's payload format 2.0: converts a request to a function's event, and a function's
// result to the response.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { decodeSegment } from '../../shared/http/path-template.ts';
import type { RouteMatch } from './router.ts';

export interface RequestTarget {
  path: string;
  query: string;
}

/**
 * Keeps the path as it was sent: a URL parser would resolve dot segments, possibly into another
 * user's path.
 */
export function parseTarget(text: string): RequestTarget | undefined {
  const [, path, query = ''] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)(?:\?([^#]*))?/i.exec(text) ?? [];
  return path === undefined ? undefined : { path, query };
}

export function buildHttpEvent(
  request: IncomingMessage,
  target: RequestTarget,
  body: Buffer,
  match: RouteMatch,
  now: number,
) {
  const method = request.method ?? 'GET';
  const headers = joinHeaders(request);
  const cookies = request.headers.cookie?.split(/;\s*/).filter((cookie) => cookie !== '');
  // HTTP APIs pass the path decoded.
  const path = decodeSegment(target.path);
  const { query } = target;
  // Bodies that are not UTF-8 keep their bytes; as text they would be altered.
  const isText = isTextBody(headers) && isUtf8(body);
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies?.length ? { cookies } : {}),
    headers,
    ...(query === '' ? {} : { queryStringParameters: joinQuery(new URLSearchParams(query)) }),
    ...(Object.keys(match.pathParameters).length === 0 ? {} : { pathParameters: match.pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers['host'] ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: match.routeKey,
      stage: '$default',
      time: formatCommonLogTime(now),
      timeEpoch: now,
    },
    ...(body.length === 0 ? {} : { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    if (values && name !== 'cookie') headers[name] = values.join(',');
  }
  const from = request.socket.remoteAddress ?? '127.0.0.1';
  const forwarded = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = forwarded ? `${forwarded}, ${from}` : from;
  headers['x-forwarded-proto'] = 'http';
  headers['x-forwarded-port'] = `${request.socket.localPort ?? ''}`;
  return headers;
}

function joinQuery(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]));
}

/** API Gateway passes every other body as base64, and any body with a content encoding. */
function isTextBody(headers: Record<string, string>): boolean {
  if (headers['content-encoding'] !== undefined) return false;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (
    type.startsWith('text/') ||
    type === 'application/json' ||
    type === 'application/xml' ||
    type === 'application/javascript'
  );
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function formatCommonLogTime(now: number): string {
  const date = new Date(now);
  const padTwoDigits = (value: number) => `${value}`.padStart(2, '0');
  const day = `${padTwoDigits(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  return `${day}:${padTwoDigits(date.getUTCHours())}:${padTwoDigits(date.getUTCMinutes())}:${padTwoDigits(date.getUTCSeconds())} +0000`;
}

const HttpResult = z.object({
  statusCode: z.number().int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export interface GatewayResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** Lambda rejects larger results, so API Gateway never sees them. */
const maxResultBytes = 6 * 1024 * 1024;

export function parseFunctionResult(result: unknown): GatewayResponse {
  const parsed = HttpResult.parse(result);
  const text = parsed.body ?? '';
  if (Buffer.byteLength(text) > maxResultBytes) {
    throw new Error(`the response is ${Buffer.byteLength(text)} bytes; the limit of Lambda is ${maxResultBytes}`);
  }
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(parsed.headers ?? {})) headers[name.toLowerCase()] = `${value}`;
  if (parsed.cookies?.length) headers['set-cookie'] = parsed.cookies;
  if (text !== '') headers['content-type'] ??= 'text/plain;charset=utf-8';
  return { status: parsed.statusCode, headers, body: Buffer.from(text, parsed.isBase64Encoded ? 'base64' : 'utf8') };
}
