import { type Api, newApi } from '../../../shared/http/api.ts';
import type { PlainPage } from '../../../shared/http/page.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import { builtInVendor } from '../../../shared/sandbox/provider-server/built-in.ts';
import { isAt, type RawCall, vendorCall } from '../../../shared/sandbox/provider-server/call.ts';
import { deniedUrl } from '../../../shared/sandbox/provider-server/consent.ts';
import { sandboxGrantRows } from '../../../shared/sandbox/provider-server/sandbox-grant-rows.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { sortableText } from '../../../shared/system/ids.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { chosenAccount } from './choice.ts';
import { consentPage, refusedPage } from './consent-page.ts';
import * as routes from './routes.ts';

export function sandboxVendorApi(deps: Deps): Api {
  const api = newApi(deps);
  const vendor = builtInVendor({ ...deps, ledger: sandboxGrantRows(deps.store) });
  const newSeed = () => sortableText(deps.clock.now(), deps.random.bytes(10));

  async function answer(raw: RawCall): Promise<Response> {
    const call = vendorCall(raw);
    if (!call || !isAt(call, providers[call.provider].oauth.authorizeUrl)) {
      const { status, headers, text } = await vendor.handle(raw);
      return new Response(text === '' ? null : text, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
    }
    const asked = vendor.consent(call.provider, call.query);
    if (typeof asked === 'string') return shown(refusedPage(call.provider, asked), 400);
    // Registered is one address only, as with a real vendor: this page sends nobody elsewhere.
    if (asked.redirectUri !== `${new URL(raw.url).origin}/connect/callback/${call.provider}`)
      return shown(refusedPage(call.provider, 'The link leads to an address that is not registered.'), 400);
    if (call.method !== 'POST') return shown(consentPage(asked, { seed: newSeed() }), 200);
    if (call.form['decision'] !== 'allow') return sentOn(deniedUrl(asked));
    const choice = chosenAccount(call.form);
    return 'mistakes' in choice ? shown(consentPage(asked, choice), 400) : sentOn(vendor.allow(asked, choice.account));
  }

  api.openapi(routes.readSandboxVendor, async (c) => asItIs(await answer(await rawCall(c.req))));
  api.openapi(routes.writeSandboxVendor, async (c) => asItIs(await answer(await rawCall(c.req))));
  api.openapi(routes.deleteAtSandboxVendor, async (c) => asItIs(await answer(await rawCall(c.req))));
  return api;
}

interface Incoming {
  method: string;
  url: string;
  header(): Record<string, string>;
  text(): Promise<string>;
}

const rawCall = async (request: Incoming): Promise<RawCall> => ({
  method: request.method,
  url: request.url,
  headers: request.header(),
  body: request.method === 'POST' ? await request.text() : '',
});

/** Holds because Hono sends any response: what a vendor says has no schema of ours. */
const asItIs = (response: Response) => response as never;

const shown = ({ html, headers }: PlainPage, status: number): Response => new Response(html, { status, headers });

const sentOn = (location: string): Response =>
  new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } });

export const handler = onHttp(sandboxVendorApi);
