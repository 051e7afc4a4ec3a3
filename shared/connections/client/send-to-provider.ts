// Sends one request to a provider, at the URL that this deployment uses for it.
import type { HttpRequest, HttpResponse } from '../../platform/ports.ts';
import type { ProviderRequest, ProviderResponse } from '../../providers/kit/request-flow.ts';
import type { ConfiguredProvider } from './configured-provider.ts';

const requestLimits = { timeoutMs: 10_000, maxBytes: 16_000_000 };

/** The provider gave no usable response: none at all, a rate limit, or a server error. */
export class ProviderUnavailable extends Error {
  readonly status: number | undefined;
  /** Whether a response arrived but exceeded the size limit. */
  readonly isTooLarge: boolean;
  /** The response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    why: string,
    {
      status,
      headers = {},
      isTooLarge = false,
    }: {
      status?: number | undefined;
      headers?: Readonly<Record<string, string>>;
      isTooLarge?: boolean;
    } = {},
  ) {
    super(why);
    this.isTooLarge = isTooLarge;
    this.status = status;
    this.headers = headers;
  }
}

export async function sendToProvider(
  { client, resolveUrl }: Pick<ConfiguredProvider, 'client' | 'resolveUrl'>,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  const reply = await client.send(toHttpRequest(request, resolveUrl));
  if (reply.kind === 'unanswered') {
    const { reason, status } = reply;
    throw new ProviderUnavailable(`no answer: ${reason}`, { status, isTooLarge: reason === 'too_large' });
  }
  if (reply.status === 429 || reply.status >= 500)
    throw new ProviderUnavailable(`the provider answered ${reply.status}`, reply);
  return toProviderResponse(reply);
}

function toHttpRequest(
  { method, url, query, headers = {}, form, json }: ProviderRequest,
  resolveUrl: (url: string) => string,
): HttpRequest {
  const address = new URL(resolveUrl(url));
  for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, value);
  const content = form
    ? { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() }
    : json === undefined
      ? undefined
      : { type: 'application/json', body: JSON.stringify(json) };
  return {
    method,
    url: address.href,
    headers: { ...headers, ...(content ? { 'content-type': content.type } : {}) },
    ...(content ? { body: content.body } : {}),
    ...requestLimits,
  };
}

const toProviderResponse = ({
  status,
  headers,
  body,
}: Extract<HttpResponse, { kind: 'answered' }>): ProviderResponse => ({
  status,
  headers,
  text: new TextDecoder().decode(body),
});
