// The part of the journey that involves providers: the built-in one that sandbox users connect to.
import { createHmac } from 'node:crypto';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { sandboxCredentials } from '../../../shared/connections/client/configured-provider.ts';
import { toProviderAccount, toSandboxAccount } from '../../../shared/sandbox/provider-server/account.ts';
import { openBuiltInProvider } from '../../../shared/sandbox/provider-server/open-built-in-provider.ts';
import { CookieJar } from '../browser.ts';
import { pathIn, redirectLocation } from '../connect-steps.ts';
import { expectSuccess, type JourneyState, required, type Step } from './journey-step.ts';
import { edgeTo } from './manifest-edges.ts';
import type { SimulatedSystem } from './simulated-system.ts';

const account = toSandboxAccount({ userId: `usr_${'1'.repeat(26)}`, persona: 'average', timezone: null });

async function connectProvider(system: SimulatedSystem, state: JourneyState, provider: CloudProviderId): Promise<void> {
  const token = state.account.sandbox_key;
  const path = `/v1/users/${required(state.sandboxUser)}/devices`;
  const { auth_url } = (await expectSuccess(system.call('POST', path, { token, body: { provider } }))).body;
  const jar = new CookieJar();
  const page = await expectSuccess(system.call('GET', pathIn(auth_url)));
  jar.store(page.headers);
  const providers = await openBuiltInProvider(system.deps);
  const query = Object.fromEntries(new URL(redirectLocation(page)).searchParams);
  const consent = providers.parseConsent(provider, query);
  if (typeof consent === 'string') throw new Error(consent);
  await expectSuccess(
    system.call('GET', pathIn(providers.buildAllowedUrl({ ...consent, scopes: [] }, account)), {
      headers: jar.headers(),
    }),
  );
}

async function findDevice(system: SimulatedSystem, state: JourneyState, provider: CloudProviderId): Promise<string> {
  const path = `/v1/users/${required(state.sandboxUser)}/devices`;
  const { data } = (await expectSuccess(system.call('GET', path, { token: state.account.sandbox_key }))).body;
  return data.find((each: Record<string, string>) => each['provider'] === provider && each['status'] === 'active').id;
}

const steps: readonly Omit<Step, 'hasBundledEvents'>[] = [
  {
    name: 'a wearable is connected',
    minutes: 6,
    isLong: true,
    ticks: { [edgeTo.schedule('poll')]: 0 },
    act: (system, state) => connectProvider(system, state, 'suunto'),
  },
  {
    name: 'a provider sends a night',
    minutes: 5,
    async act(system) {
      const night = {
        timestamp: '2026-03-08T07:00:00+00:00',
        entryData: {
          SleepId: 4711,
          BedtimeStart: '2026-03-07T23:00:00+00:00',
          BedtimeEnd: '2026-03-08T07:00:00+00:00',
        },
      };
      const raw = JSON.stringify({
        type: 'SUUNTO_247_SLEEP_CREATED',
        username: toProviderAccount('suunto', account),
        samples: [night],
      });
      const secret = sandboxCredentials(system.deps, 'suunto').more['notification_secret'] ?? '';
      const signature = createHmac('sha256', secret).update(raw).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-hmac-sha256-signature': signature };
      await expectSuccess(system.call('POST', '/v1/providers/suunto/push', { raw, headers }));
    },
  },
  {
    name: 'a wearable is disconnected',
    minutes: 5,
    async act(system, state) {
      const path = `/v1/users/${required(state.sandboxUser)}/devices/${await findDevice(system, state, 'suunto')}`;
      await expectSuccess(system.call('DELETE', path, { token: state.account.sandbox_key }));
    },
  },
  {
    name: 'another wearable is connected',
    minutes: 6,
    isLong: true,
    act: (system, state) => connectProvider(system, state, 'strava'),
  },
  {
    name: 'a wearable is disconnected on a page',
    minutes: 5,
    async act(system, state) {
      const token = state.account.sandbox_key;
      const path = `/v1/users/${required(state.sandboxUser)}/connect-links`;
      const { url } = (await expectSuccess(system.call('POST', path, { token, body: {} }))).body;
      const raw = `disconnect=${await findDevice(system, state, 'strava')}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await expectSuccess(system.call('POST', new URL(url).pathname, { raw, headers }));
    },
  },
  {
    name: 'a wearable is connected once more',
    minutes: 6,
    isLong: true,
    act: (system, state) => connectProvider(system, state, 'strava'),
  },
  {
    name: 'a watch is connected whose provider cannot be polled',
    minutes: 6,
    isLong: true,
    act: (system, state) => connectProvider(system, state, 'garmin'),
  },
  {
    name: 'the sandbox user is deleted',
    minutes: 6,
    async act(system, state) {
      await expectSuccess(
        system.call('DELETE', `/v1/users/${required(state.sandboxUser)}`, { token: state.account.sandbox_key }),
      );
      state.deleted = [...state.deleted, required(state.sandboxUser)];
      delete state.sandboxUser;
    },
  },
];

export const wearableSteps: readonly Step[] = steps.map((step) => ({ ...step, hasBundledEvents: true }));
