// One request to a vendor, at the address the deployment uses for it.
import type { HttpReply, HttpRequest } from '../../platform/ports.ts';
import type { VendorReply, VendorRequest } from '../../providers/kit/vendor.ts';
import type { ConfiguredProvider } from './configured.ts';

const limits = { timeoutMs: 10_000, mostBytes: 16_000_000 };

/** The vendor gave no answer that could be meant for us: none at all, too many requests, or an error of its own. */
export class VendorAway extends Error {
  readonly status: number | undefined;
  /** Whether there was an answer, of more than is read of any. */
  readonly isTooLarge: boolean;
  /** The headers of the answer, in lower case. */
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

export async function sendTo(
  { client, addressOf }: Pick<ConfiguredProvider, 'client' | 'addressOf'>,
  request: VendorRequest,
): Promise<VendorReply> {
  const reply = await client.send(httpRequest(request, addressOf));
  if (reply.kind === 'unanswered') {
    const { reason, status } = reply;
    throw new VendorAway(`no answer: ${reason}`, { status, isTooLarge: reason === 'too_large' });
  }
  if (reply.status === 429 || reply.status >= 500) throw new VendorAway(`the vendor answered ${reply.status}`, reply);
  return vendorReply(reply);
}

function httpRequest(
  { method, url, query, headers = {}, form, json }: VendorRequest,
  addressOf: (url: string) => string,
): HttpRequest {
  const address = new URL(addressOf(url));
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
    ...limits,
  };
}

const vendorReply = ({ status, headers, body }: Extract<HttpReply, { kind: 'answered' }>): VendorReply => ({
  status,
  headers,
  text: new TextDecoder().decode(body),
});
