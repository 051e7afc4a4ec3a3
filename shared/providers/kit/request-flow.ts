// Requests to a provider's API as pure data: an adapter yields requests and interprets the
// responses; the runner sends, waits and retries.

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The provider's real URL without a query; a deployment may redirect it elsewhere. */
  url: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Set at most one of `form` and `json`. */
  form?: Readonly<Record<string, string>>;
  json?: unknown;
}

/** Header names are in lower case. */
export interface ProviderResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/**
 * Yields one request after the other and returns the result. The runner sends each request with the
 * user's token, respects the provider's rate limits, refreshes an expired token, and stops if the
 * provider is unavailable (no response, 429, 5xx). A flow therefore only sees responses that the
 * provider meant.
 */
export type RequestFlow<Result> = Generator<ProviderRequest, Result, ProviderResponse>;

/** What a deployment received when it registered with the provider. */
export interface ProviderCredentials {
  clientId: string;
  clientSecret: string;
  /** Credentials that only this provider has, by the names in its descriptor. */
  more: Readonly<Record<string, string>>;
}

/**
 * The provider sent a response that the flow cannot interpret. The message is for operators and
 * never contains a token.
 */
export class UnexpectedResponse extends Error {
  readonly status: number;
  constructor(what: string, { status }: ProviderResponse) {
    super(`${what}: the provider answered ${status}`);
    this.status = status;
  }
}

/** The JSON of a response; undefined if it is not JSON. */
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
