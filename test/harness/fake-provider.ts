// A vendor in this process: it speaks as the real ones do, of what a test has written down, counts what it is asked, and fails as it is told to.

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

/** `lost`: the vendor acts, and its answer never comes. `too_large`: it answers more than is read. */
export type ProviderFault = ProviderResponse | 'timeout' | 'lost' | 'too_large';

export interface FakeProvider {
  client: HttpClient;
  fixtures: ReturnType<typeof makeFixtures>;
  requests: ProviderCall[];
  /** When each was answered or not, by the clock of the test. */
  times: number[];
  credentials: ProviderCredentials;
  /** From now on, so many times; returns how to end it. */
  fault(matches: (call: ProviderCall) => boolean, fault: ProviderFault, times?: number): () => void;
  /** What else happens while it answers. */
  beforeReply: (call: ProviderCall) => Promise<void>;
  /** Of a person who has agreed; bound to the PKCE challenge where there was one. */
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
    keyring: openKeyring('the root secret of a vendor, for tests only'),
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
        if (!call) throw new Error(`no vendor is at ${new URL(url).origin}`);
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
