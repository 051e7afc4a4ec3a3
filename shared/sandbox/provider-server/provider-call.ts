// A request to the sandbox's vendor, taken apart: where at the real vendor it is meant for, and what it shows.
import { timingSafeEqual } from 'node:crypto';
import { type ProviderCredentials, parseResponseJson } from '../../providers/kit/request-flow.ts';
import { type ProviderAddress, parseProviderAddress } from './address.ts';

export interface RawCall {
  method: string;
  /** The real vendor's, or the one it is mapped to. */
  url: string;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface ProviderCall extends ProviderAddress {
  method: string;
  query: Readonly<Record<string, string>>;
  form: Readonly<Record<string, string>>;
  json: unknown;
  headers: Readonly<Record<string, string>>;
}

/** Undefined: no vendor is there. */
export function parseProviderCall({ method, url, headers, body }: RawCall): ProviderCall | undefined {
  const parsed = new URL(url);
  const address = parseProviderAddress(parsed);
  const type = headers['content-type'] ?? '';
  return (
    address && {
      ...address,
      method,
      headers,
      query: Object.fromEntries(parsed.searchParams),
      form: type.startsWith('application/x-www-form-urlencoded') ? Object.fromEntries(new URLSearchParams(body)) : {},
      json: type.startsWith('application/json') ? parseResponseJson({ text: body }) : undefined,
    }
  );
}

/** Whether the call goes there; `{…}` in the address stands for one part of a path. */
export function matchesUrl({ host, path }: ProviderCall, address: string): boolean {
  const real = new URL(address.replaceAll(/\{\w+\}/g, '_any_'));
  const parts = path.split('/');
  const expectedParts = real.pathname.split('/');
  return (
    host === real.host &&
    parts.length === expectedParts.length &&
    expectedParts.every((part, at) => part === '_any_' || part === parts[at])
  );
}

/** The person's token: in a header, as most show it, or in the query. */
export const readToken = ({ headers, query }: ProviderCall): string | undefined =>
  /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? query['token'] ?? query['access_token'];

/** Whether it is the registered client: in the body, in the query, in a Basic header or in headers of their own. */
export function hasClientCredentials(
  { headers, query, form }: ProviderCall,
  { clientId, clientSecret }: Pick<ProviderCredentials, 'clientId' | 'clientSecret'>,
): boolean {
  const basic = /^Basic (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  const presented = basic
    ? Buffer.from(basic, 'base64').toString()
    : `${form['client_id'] ?? query['client_id'] ?? headers['x-client-id']}:${form['client_secret'] ?? query['client_secret'] ?? headers['x-client-secret']}`;
  return constantTimeEqual(presented, `${clientId}:${clientSecret}`);
}

export function constantTimeEqual(presented: string, expected: string): boolean {
  const [a, b] = [Buffer.from(presented), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
