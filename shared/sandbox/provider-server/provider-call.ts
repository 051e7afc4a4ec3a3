// Parses a request to the simulated provider: the address at the real provider, and the
// credentials.
import { timingSafeEqual } from 'node:crypto';
import { type ProviderCredentials, parseResponseJson } from '../../providers/kit/request-flow.ts';
import { type ProviderAddress, parseProviderAddress } from './address.ts';

export interface RawCall {
  method: string;
  /** The real provider's URL, or the one it is mapped to. */
  url: string;
  /** Names are in lower case. */
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

/** Undefined if no provider is at this URL. */
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

/** Whether the call matches the URL; `{…}` in the URL matches one segment of a path. */
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

/** The user's token, in a header as with most providers, or in the query. */
export const readToken = ({ headers, query }: ProviderCall): string | undefined =>
  /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? query['token'] ?? query['access_token'];

/**
 * Whether the call has the registered client's credentials, in the body, in the query, in a Basic
 * header or in headers of their own.
 */
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
