import { type Api, createApi } from '../../../shared/http/api.ts';
import type { PlainPage } from '../../../shared/http/page.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import { createBuiltInProvider } from '../../../shared/sandbox/provider-server/built-in-provider.ts';
import { buildDeniedUrl } from '../../../shared/sandbox/provider-server/consent.ts';
import { matchesUrl, parseProviderCall, type RawCall } from '../../../shared/sandbox/provider-server/provider-call.ts';
import { sandboxGrantRows } from '../../../shared/sandbox/provider-server/sandbox-grant-rows.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { encodeSortableId } from '../../../shared/system/ids.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { renderConsentPage, renderInvalidLinkPage } from './consent-page.ts';
import { parseChosenAccount } from './parse-chosen-account.ts';
import * as routes from './routes.ts';

export function sandboxProviderApi(deps: Deps): Api {
  const api = createApi(deps);
  const builtInProvider = createBuiltInProvider({ ...deps, ledger: sandboxGrantRows(deps.store) });
  const newSeed = () => encodeSortableId(deps.clock.now(), deps.random.bytes(10));

  async function respond(raw: RawCall): Promise<Response> {
    const call = parseProviderCall(raw);
    if (!call || !matchesUrl(call, providerDescriptors[call.provider].oauth.authorizeUrl)) {
      const { status, headers, text } = await builtInProvider.handle(raw);
      return new Response(text === '' ? null : text, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
    }
    const authorizationRequest = builtInProvider.parseConsent(call.provider, call.query);
    if (typeof authorizationRequest === 'string')
      return toHtmlResponse(renderInvalidLinkPage(call.provider, authorizationRequest), 400);
    // Only one redirect URL is registered, as with a real provider. This page redirects nowhere
    // else.
    if (authorizationRequest.redirectUri !== `${new URL(raw.url).origin}/connect/callback/${call.provider}`)
      return toHtmlResponse(
        renderInvalidLinkPage(call.provider, 'The link redirects to a URL that is not registered.'),
        400,
      );
    if (call.method !== 'POST')
      return toHtmlResponse(renderConsentPage(authorizationRequest, { seed: newSeed() }), 200);
    if (call.form['decision'] !== 'allow') return redirectTo(buildDeniedUrl(authorizationRequest));
    const choice = parseChosenAccount(call.form);
    return 'errors' in choice
      ? toHtmlResponse(renderConsentPage(authorizationRequest, choice), 400)
      : redirectTo(builtInProvider.buildAllowedUrl(authorizationRequest, choice.account));
  }

  api.openapi(routes.readSandboxProvider, async (c) => asAnyResponse(await respond(await readRawCall(c.req))));
  api.openapi(routes.writeSandboxProvider, async (c) => asAnyResponse(await respond(await readRawCall(c.req))));
  api.openapi(routes.deleteAtSandboxProvider, async (c) => asAnyResponse(await respond(await readRawCall(c.req))));
  return api;
}

interface IncomingRequest {
  method: string;
  url: string;
  header(): Record<string, string>;
  text(): Promise<string>;
}

const readRawCall = async (request: IncomingRequest): Promise<RawCall> => ({
  method: request.method,
  url: request.url,
  headers: request.header(),
  body: request.method === 'POST' ? await request.text() : '',
});

/**
 * The cast is safe because Hono sends any response. Responses of a provider have no schema here.
 */
const asAnyResponse = (response: Response) => response as never;

const toHtmlResponse = ({ html, headers }: PlainPage, status: number): Response =>
  new Response(html, { status, headers });

const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } });

export const handler = onHttp(sandboxProviderApi);
