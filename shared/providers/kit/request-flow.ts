// How a vendor's cloud is talked to, as pure data: an adapter says what it wants to ask and makes sense of the answers; others send, wait and try again.

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** At the vendor's real address, without a query; a deployment may have it sent elsewhere. */
  url: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** At most one of the two. */
  form?: Readonly<Record<string, string>>;
  json?: unknown;
}

/** Names of headers are in lower case. */
export interface ProviderResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/**
 * Asks one thing after the other and returns what it came to. Whoever runs it sends each request with the person's token, keeps to the vendor's limits, renews
 * a token that ran out, and breaks off when the vendor is away (no answer, 429, 5xx): what a talk sees is what the vendor means.
 */
export type RequestFlow<Result> = Generator<ProviderRequest, Result, ProviderResponse>;

/** What a deployment was given when it registered with the vendor. */
export interface ProviderCredentials {
  clientId: string;
  clientSecret: string;
  /** What only this vendor has, by the names in its descriptor. */
  more: Readonly<Record<string, string>>;
}

/** The vendor answered something that no talk knows what to make of. The text is for operators, and never holds a token. */
export class UnexpectedResponse extends Error {
  readonly status: number;
  constructor(what: string, { status }: ProviderResponse) {
    super(`${what}: the vendor answered ${status}`);
    this.status = status;
  }
}

/** The answer's JSON; undefined where it is none. */
export function parseResponseJson({ text }: Pick<ProviderResponse, 'text'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isOk = ({ status }: ProviderResponse): boolean => status >= 200 && status < 300;

export const basicAuthHeader = ({ clientId, clientSecret }: ProviderCredentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
