// A provider for tests, over HTTP on this machine. It responds like the real ones from the test's
// fixtures, and fails on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock, systemRandom } from '../../functions/runtime/deps.ts';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { openKeyring } from '../../shared/platform/keyring.ts';
import type { Clock } from '../../shared/platform/ports.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import type { ProviderCredentials, ProviderResponse } from '../../shared/providers/kit/request-flow.ts';
import { calledUrls } from '../../shared/providers/origins.ts';
import { toSandboxUrl } from '../../shared/sandbox/provider-server/address.ts';
import { buildDeniedUrl } from '../../shared/sandbox/provider-server/consent.ts';
import {
  matchesUrl,
  type ProviderCall,
  parseProviderCall,
  type RawCall,
} from '../../shared/sandbox/provider-server/provider-call.ts';
import { createSimulatedProvider } from '../../shared/sandbox/provider-server/simulated-provider.ts';
import {
  type ItemSource,
  jsonProviderResponse,
  type OutgoingPush,
  type ProviderSimulator,
} from '../../shared/sandbox/simulated-providers/simulator.ts';
import { getSimulator } from '../../shared/sandbox/simulated-providers/simulators.ts';
import { memoryLedger } from './memory-ledger.ts';
import { type Fixtures, makeFixtures } from './provider-fixtures.ts';

/**
 * `dead`: the provider's response to a token or code that is no longer valid. `expired`: its
 * response to an expired access token.
 */
export type ServerFault = ProviderResponse | 'hang' | 'cut' | 'dead' | 'expired';

export interface FakeProviderServer {
  baseUrl: string;
  /** The data of each provider's accounts. Tests may change it. */
  fixtures: Fixtures;
  /** Every request so far, except those to the consent page. */
  requests: ProviderCall[];
  /** The number of requests whose path contains the text. */
  count(path: string): number;
  /**
   * From now on, matching requests fail, up to `times` times. The first matching fault applies.
   * Returns a function that ends it.
   */
  fault(matches: (call: ProviderCall) => boolean, fault: ServerFault, times?: number): () => void;
  /**
   * The user who is signed in to this account agrees, or denies access if it is null. Returns the
   * redirect URL.
   */
  consent(authorizeUrl: string, account: string | null): Promise<string>;
  /** Sends a push to a deployment's push address. */
  push(url: string, push: Pick<OutgoingPush, 'headers' | 'body'>): Promise<Response>;
  /** The settings that a deployment needs to reach this provider. */
  settings(provider: CloudProviderId): object;
  credentials(provider: CloudProviderId): ProviderCredentials;
  /** Sets the clock by which tokens expire. */
  useClock(clock: Clock): void;
  close(): Promise<void>;
}

/** A 429 response with `Retry-After`. */
export const tooManyRequests = (seconds: number): ProviderResponse =>
  jsonProviderResponse({ error: 'too_many_requests' }, 429, { 'retry-after': String(seconds) });
export const internalError: ProviderResponse = jsonProviderResponse({ error: 'internal' }, 500);

export const isRefresh = ({ form, query }: ProviderCall): boolean =>
  (form['grant_type'] ?? query['grant_type']) === 'refresh_token';
export const isPath =
  (text: string) =>
  ({ path }: ProviderCall): boolean =>
    path.includes(text);

interface PlannedFault {
  matches(call: ProviderCall): boolean;
  fault: ServerFault;
  left: number;
}

export async function startFakeProvider(
  options: { shapes?: (provider: CloudProviderId) => ProviderSimulator } = {},
): Promise<FakeProviderServer> {
  const shapes = options.shapes ?? getSimulator;
  const fixtures = makeFixtures();
  const requests: ProviderCall[] = [];
  let plans: PlannedFault[] = [];
  let clock: Clock = systemClock;
  const items = (provider: CloudProviderId, account: string): ItemSource => fixtures.itemsOf(provider, account);
  const simulated = createSimulatedProvider({
    keyring: openKeyring('the root secret of a provider, for tests only'),
    clock: { now: () => clock.now() },
    random: systemRandom,
    ledger: memoryLedger(),
    toProviderAccount: (_provider, account) => account,
    credentials,
    getSimulator: shapes,
    createItemSource: items,
  });

  async function replyTo(raw: RawCall): Promise<ProviderResponse | 'hang' | 'cut'> {
    const call = parseProviderCall(raw);
    if (!call) return jsonProviderResponse({ error: 'unknown host' }, 404);
    if (matchesUrl(call, providerDescriptors[call.provider].oauth.authorizeUrl)) return consentPage(call);
    requests.push(call);
    const plan = plans.find(({ matches, left }) => left > 0 && matches(call));
    if (!plan) return simulated.handle(raw);
    plan.left -= 1;
    const known = shapes(call.provider);
    if (plan.fault === 'dead')
      return known?.renderInvalidGrant?.() ?? jsonProviderResponse({ error: 'invalid_grant' }, 400);
    if (plan.fault === 'expired')
      return known?.renderInvalidAccessToken?.() ?? jsonProviderResponse({ error: 'invalid_token' }, 401);
    return plan.fault;
  }

  function consentPage({ provider, query }: ProviderCall): ProviderResponse {
    const { [accountParameter]: account, ...parameters } = query;
    const consent = simulated.parseConsent(provider, parameters);
    if (typeof consent === 'string') return jsonProviderResponse({ error: consent }, 400);
    const location = account === undefined ? buildDeniedUrl(consent) : simulated.buildAllowedUrl(consent, account);
    return { status: 302, headers: { location }, text: '' };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await replyTo(await rawCall(request, baseUrl));
    if (reply === 'cut') request.socket.destroy();
    else if (reply !== 'hang') response.writeHead(reply.status, { ...reply.headers }).end(reply.text);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(599).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  const baseUrl = `http://127.0.0.1:${address.port}`;

  return {
    baseUrl,
    fixtures,
    requests,
    count: (path) => requests.filter(isPath(path)).length,
    fault(matches, fault, times = Number.POSITIVE_INFINITY) {
      const plan = { matches, fault, left: times };
      plans.push(plan);
      return () => {
        plans = plans.filter((each) => each !== plan);
      };
    },
    async consent(authorizeUrl, account) {
      const url = new URL(authorizeUrl);
      if (account !== null) url.searchParams.set(accountParameter, account);
      const response = await fetch(url, { redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`the provider's consent page returned ${response.status}: ${await response.text()}`);
      return location;
    },
    push: (url, { headers, body }) => fetch(url, { method: 'POST', headers: { ...headers }, body }),
    settings: (provider) => settingsFor(baseUrl, provider),
    credentials,
    useClock(next) {
      clock = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The query parameter that tells the consent page which account is signed in. */
const accountParameter = 'signed_in_as';

const credentials = (provider: CloudProviderId): ProviderCredentials => ({
  clientId: `test-${provider}`,
  clientSecret: `the secret of ${provider}`,
  more: Object.fromEntries(
    providerDescriptors[provider].credentials.map(({ name }) => [name, `the ${name} of ${provider}`]),
  ),
});

function settingsFor(baseUrl: string, provider: CloudProviderId): object {
  const { clientId, clientSecret, more } = credentials(provider);
  const hosts = [...calledUrls(providerDescriptors[provider]), providerDescriptors[provider].oauth.authorizeUrl];
  const origins = [...new Set(hosts.map((url) => new URL(url).origin))];
  return {
    client_id: clientId,
    client_secret: clientSecret,
    ...more,
    origins: Object.fromEntries(
      origins.map((origin) => [origin, toSandboxUrl(baseUrl, provider, origin).replace(/\/$/, '')]),
    ),
  };
}

async function rawCall(request: IncomingMessage, baseUrl: string): Promise<RawCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    method: request.method ?? 'GET',
    url: baseUrl + (request.url ?? '/'),
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  };
}
