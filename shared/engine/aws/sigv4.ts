// AWS Signature Version 4 for the one kind of request this product makes: a POST with a JSON body.
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface SigningInput {
  url: URL;
  /** Lower-case names; every one of them is signed. `host` and the `x-amz-date` family are added here. */
  headers: Record<string, string>;
  body: Uint8Array;
  region: string;
  signingName: string;
  credentials: Credentials;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The headers to send: those given, and the ones that prove who sends them. */
export function signed({ url, headers, body, region, signingName, credentials, now }: SigningInput) {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const toSign: Record<string, string> = { ...headers, host: url.host, 'x-amz-date': time };
  if (credentials.sessionToken) toSign['x-amz-security-token'] = credentials.sessionToken;

  const names = Object.keys(toSign).sort();
  const signedNames = names.join(';');
  const canonicalHeaders = names.map((name) => `${name}:${toSign[name]?.trim().replace(/\s+/g, ' ')}\n`).join('');
  const canonicalRequest = `POST\n${canonicalPath(url.pathname)}\n\n${canonicalHeaders}\n${signedNames}\n${hash('sha256', body)}`;

  const scope = `${date}/${region}/${signingName}/aws4_request`;
  const stringToSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonicalRequest)}`;
  const signature = hmac(signingKey(credentials.secretAccessKey, date, region, signingName), stringToSign).toString(
    'hex',
  );
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
  return { ...toSign, authorization };
}

const mostKept = 16;
const keptKeys = new Map<string, KeyObject>();

/** It holds for a day; deriving it takes four times as long as signing. */
function signingKey(secret: string, date: string, region: string, signingName: string): KeyObject {
  const name = `${date}/${region}/${signingName}/${secret}`;
  const known = keptKeys.get(name);
  if (known) return known;
  const derived = [region, signingName, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, date));
  const key = createSecretKey(derived);
  if (keptKeys.size >= mostKept) keptKeys.clear();
  keptKeys.set(name, key);
  return key;
}

function hmac(key: string | Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function canonicalPath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length === 0) return '/';
  return `/${segments.map(escaped).join('/')}${path.endsWith('/') ? '/' : ''}`;
}

function escaped(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
