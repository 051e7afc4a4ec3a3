// A vendor in this process: it speaks as the real ones do, of what a test has written down, counts what it is asked, and fails as it is told to.

import { systemRandom } from '../../functions/runtime/deps.ts';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { openKeyring } from '../../shared/platform/keyring.ts';
import type { Clock, HttpClient, HttpReply } from '../../shared/platform/ports.ts';
import { providers } from '../../shared/providers/catalog.ts';
import type { ProviderCredentials, VendorReply } from '../../shared/providers/kit/vendor.ts';
import { type VendorCall, vendorCall } from '../../shared/sandbox/provider-server/call.ts';
import { sandboxVendor } from '../../shared/sandbox/provider-server/server.ts';
import { shapesOf } from '../../shared/sandbox/simulated-providers/every-shape.ts';
import { memoryLedger } from './memory-ledger.ts';
import { makeFixtures } from './vendor-fixtures.ts';

/** `lost`: the vendor acts, and its answer never comes. `too_large`: it answers more than is read. */
export type VendorFault = VendorReply | 'timeout' | 'lost' | 'too_large';

export interface VendorInProcess {
  client: HttpClient;
  fixtures: ReturnType<typeof makeFixtures>;
  requests: VendorCall[];
  /** When each was answered or not, by the clock of the test. */
  times: number[];
  credentials: ProviderCredentials;
  /** From now on, so many times; returns how to end it. */
  fault(matches: (call: VendorCall) => boolean, fault: VendorFault, times?: number): () => void;
  /** What else happens while it answers. */
  meanwhile: (call: VendorCall) => Promise<void>;
  /** Of a person who has agreed; bound to the PKCE challenge where there was one. */
  code(provider: CloudProviderId, account: string, redirectUri: string, challenge?: string): string;
}

export function vendorInProcess(clock: Clock, provider: CloudProviderId): VendorInProcess {
  const fixtures = makeFixtures();
  const requests: VendorCall[] = [];
  const times: number[] = [];
  const more = Object.fromEntries(providers[provider].credentials.map(({ name }) => [name, `the ${name} of a client`]));
  const credentials = { clientId: 'a client', clientSecret: 'a secret of a client', more };
  let plans: { matches(call: VendorCall): boolean; fault: VendorFault; left: number }[] = [];
  const vendor = sandboxVendor({
    keyring: openKeyring('the root secret of a vendor, for tests only'),
    clock,
    random: systemRandom,
    ledger: memoryLedger(),
    shown: (_provider, account) => account,
    credentials: () => credentials,
    shapes: shapesOf,
    items: (provider, account) => fixtures.itemsOf(provider, account),
  });

  const silent = (reason: 'timeout' | 'connection' | 'too_large'): HttpReply => ({
    kind: 'unanswered',
    reason,
    message: reason,
    status: undefined,
    body: new Uint8Array(),
  });
  const answered = ({ status, headers, text }: VendorReply): HttpReply => ({
    kind: 'answered',
    status,
    headers: { ...headers },
    body: Buffer.from(text),
  });

  const self: VendorInProcess = {
    fixtures,
    requests,
    times,
    credentials,
    meanwhile: async () => {},
    client: {
      async send({ method, url, headers = {}, body = '' }) {
        const raw = { method, url, headers, body: typeof body === 'string' ? body : Buffer.from(body).toString() };
        const call = vendorCall(raw);
        if (!call) throw new Error(`no vendor is at ${new URL(url).origin}`);
        requests.push(call);
        times.push(clock.now());
        await self.meanwhile(call);
        const plan = plans.find(({ matches, left }) => left > 0 && matches(call));
        if (plan) plan.left -= 1;
        if (plan?.fault === 'timeout' || plan?.fault === 'too_large') return silent(plan.fault);
        if (plan && plan.fault !== 'lost') return answered(plan.fault);
        const reply = await vendor.handle(raw);
        return plan ? silent('connection') : answered(reply);
      },
    },
    fault(matches, fault, most = Number.POSITIVE_INFINITY) {
      const plan = { matches, fault, left: most };
      plans.push(plan);
      return () => {
        plans = plans.filter((each) => each !== plan);
      };
    },
    code(of, account, redirectUri, challenge) {
      const asked = { provider: of, redirectUri, state: 'any', scopes: providers[of].scopes, challenge };
      return new URL(vendor.allow(asked, account)).searchParams.get('code') ?? '';
    },
  };
  return self;
}

export const refreshes = ({ form }: VendorCall): boolean => form['grant_type'] === 'refresh_token';
export const dataCalls = ({ path }: VendorCall): boolean => path.includes('usercollection');
