// An in-process provider. It responds like the real ones from the test's fixtures, records its
// requests, and fails on request.

import { systemRandom } from '../../functions/runtime/deps.ts';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { openKeyring } from '../../shared/platform/keyring.ts';
import type { Clock, HttpClient, HttpResponse } from '../../shared/platform/ports.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import type { ProviderCredentials, ProviderResponse } from '../../shared/providers/kit/request-flow.ts';
import { type ProviderCall, parseProviderCall } from '../../shared/sandbox/provider-server/provider-call.ts';
import { createSimulatedProvider } from '../../shared/sandbox/provider-server/simulated-provider.ts';
import { getSimulator } from '../../shared/sandbox/simulated-providers/simulators.ts';
import { memoryLedger } from './memory-ledger.ts';
import { makeFixtures } from './provider-fixtures.ts';

/**
 * `lost`: the provider handles the request, but its response never arrives. `too_large`: the
 * response exceeds the size limit.
 */
export type ProviderFault = ProviderResponse | 'timeout' | 'lost' | 'too_large';

export interface FakeProvider {
  client: HttpClient;
  fixtures: ReturnType<typeof makeFixtures>;
  requests: ProviderCall[];
  /** When each request was received, by the test's clock. */
  times: number[];
  credentials: ProviderCredentials;
  /** From now on, matching requests fail, up to `times` times. Returns a function that ends it. */
  fault(matches: (call: ProviderCall) => boolean, fault: ProviderFault, times?: number): () => void;
  /** Runs before each response. */
  beforeReply: (call: ProviderCall) => Promise<void>;
  /** The authorization code of a user who agreed, bound to the PKCE challenge if there is one. */
  code(provider: CloudProviderId, account: string, redirectUri: string, challenge?: string): string;
}

export function createFakeProvider(clock: Clock, provider: CloudProviderId): FakeProvider {
  const fixtures = makeFixtures();
  const requests: ProviderCall[] = [];
  const times: number[] = [];
  const more = Object.fromEntries(
    providerDescriptors[provider].credentials.map(({ name }) => [name, `the ${name} of a client`]),
  );
  const credentials = { clientId: 'a client', clientSecret: 'a secret of a client', more };
  let plans: { matches(call: ProviderCall): boolean; fault: ProviderFault; left: number }[] = [];
  const simulated = createSimulatedProvider({
    keyring: openKeyring('the root secret of a provider, for tests only'),
    clock,
    random: systemRandom,
    ledger: memoryLedger(),
    toProviderAccount: (_provider, account) => account,
    credentials: () => credentials,
    getSimulator: getSimulator,
    createItemSource: (provider, account) => fixtures.itemsOf(provider, account),
  });

  const unanswered = (reason: 'timeout' | 'connection' | 'too_large'): HttpResponse => ({
    kind: 'unanswered',
    reason,
    message: reason,
    status: undefined,
    body: new Uint8Array(),
  });
  const toReply = ({ status, headers, text }: ProviderResponse): HttpResponse => ({
    kind: 'answered',
    status,
    headers: { ...headers },
    body: Buffer.from(text),
  });

  const self: FakeProvider = {
    fixtures,
    requests,
    times,
    credentials,
    beforeReply: async () => {},
    client: {
      async send({ method, url, headers = {}, body = '' }) {
        const raw = { method, url, headers, body: typeof body === 'string' ? body : Buffer.from(body).toString() };
        const call = parseProviderCall(raw);
        if (!call) throw new Error(`no provider is at ${new URL(url).origin}`);
        requests.push(call);
        times.push(clock.now());
        await self.beforeReply(call);
        const plan = plans.find(({ matches, left }) => left > 0 && matches(call));
        if (plan) plan.left -= 1;
        if (plan?.fault === 'timeout' || plan?.fault === 'too_large') return unanswered(plan.fault);
        if (plan && plan.fault !== 'lost') return toReply(plan.fault);
        const reply = await simulated.handle(raw);
        return plan ? unanswered('connection') : toReply(reply);
      },
    },
    fault(matches, fault, maxTimes = Number.POSITIVE_INFINITY) {
      const plan = { matches, fault, left: maxTimes };
      plans.push(plan);
      return () => {
        plans = plans.filter((each) => each !== plan);
      };
    },
    code(of, account, redirectUri, challenge) {
      const consentRequest = {
        provider: of,
        redirectUri,
        state: 'any',
        scopes: providerDescriptors[of].scopes,
        challenge,
      };
      return new URL(simulated.buildAllowedUrl(consentRequest, account)).searchParams.get('code') ?? '';
    },
  };
  return self;
}

export const isRefreshCall = ({ form }: ProviderCall): boolean => form['grant_type'] === 'refresh_token';
export const isDataCall = ({ path }: ProviderCall): boolean => path.includes('usercollection');
