// The part of the journey that goes through vendors: the built-in one, which sandbox users are connected to.
import { createHmac } from 'node:crypto';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { sandboxCredentials } from '../../../shared/connections/client/configured.ts';
import { accountOfLife, shownAccount } from '../../../shared/sandbox/provider-server/account.ts';
import { openCloud } from '../../../shared/sandbox/provider-server/open-cloud.ts';
import { CookieJar } from '../browser.ts';
import { locationIn, pathIn } from '../connecting.ts';
import { arrowTo } from './map-arrows.ts';
import type { PostOffice } from './post-office.ts';
import { good, known, type Step, type Travellers } from './travellers.ts';

const account = accountOfLife({ userId: `usr_${'1'.repeat(26)}`, persona: 'average', timezone: null });

async function connected(office: PostOffice, who: Travellers, provider: CloudProviderId): Promise<void> {
  const token = who.account.sandbox_key;
  const path = `/v1/users/${known(who.sandboxUser)}/devices`;
  const { auth_url } = (await good(office.call('POST', path, { token, body: { provider } }))).body;
  const jar = new CookieJar();
  const opened = await good(office.call('GET', pathIn(auth_url)));
  jar.keep(opened.headers);
  const cloud = await openCloud(office.deps);
  const query = Object.fromEntries(new URL(locationIn(opened)).searchParams);
  const consent = cloud.consent(provider, query);
  if (typeof consent === 'string') throw new Error(consent);
  await good(office.call('GET', pathIn(cloud.allow({ ...consent, scopes: [] }, account)), { headers: jar.headers() }));
}

async function deviceOf(office: PostOffice, who: Travellers, provider: CloudProviderId): Promise<string> {
  const path = `/v1/users/${known(who.sandboxUser)}/devices`;
  const { data } = (await good(office.call('GET', path, { token: who.account.sandbox_key }))).body;
  return data.find((each: Record<string, string>) => each['provider'] === provider && each['status'] === 'active').id;
}

const steps: readonly Omit<Step, 'bundled'>[] = [
  {
    name: 'a wearable is connected',
    minutes: 6,
    long: true,
    ticks: { [arrowTo.schedule('poll')]: 0 },
    act: (office, who) => connected(office, who, 'suunto'),
  },
  {
    name: 'a vendor sends a night',
    minutes: 5,
    async act(office) {
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
        username: shownAccount('suunto', account),
        samples: [night],
      });
      const secret = sandboxCredentials(office.deps, 'suunto').more['notification_secret'] ?? '';
      const signature = createHmac('sha256', secret).update(raw).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-hmac-sha256-signature': signature };
      await good(office.call('POST', '/v1/providers/suunto/push', { raw, headers }));
    },
  },
  {
    name: 'a wearable is disconnected',
    minutes: 5,
    async act(office, who) {
      const path = `/v1/users/${known(who.sandboxUser)}/devices/${await deviceOf(office, who, 'suunto')}`;
      await good(office.call('DELETE', path, { token: who.account.sandbox_key }));
    },
  },
  {
    name: 'another wearable is connected',
    minutes: 6,
    long: true,
    act: (office, who) => connected(office, who, 'strava'),
  },
  {
    name: 'a wearable is disconnected on a page',
    minutes: 5,
    async act(office, who) {
      const token = who.account.sandbox_key;
      const path = `/v1/users/${known(who.sandboxUser)}/connect-links`;
      const { url } = (await good(office.call('POST', path, { token, body: {} }))).body;
      const raw = `disconnect=${await deviceOf(office, who, 'strava')}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await good(office.call('POST', new URL(url).pathname, { raw, headers }));
    },
  },
  {
    name: 'a wearable is connected once more',
    minutes: 6,
    long: true,
    act: (office, who) => connected(office, who, 'strava'),
  },
  {
    name: 'a watch is connected whose vendor may not be asked',
    minutes: 6,
    long: true,
    act: (office, who) => connected(office, who, 'garmin'),
  },
  {
    name: 'the sandbox user is deleted',
    minutes: 6,
    async act(office, who) {
      await good(office.call('DELETE', `/v1/users/${known(who.sandboxUser)}`, { token: who.account.sandbox_key }));
      who.deleted = [...who.deleted, known(who.sandboxUser)];
      delete who.sandboxUser;
    },
  },
];

export const wearableSteps: readonly Step[] = steps.map((step) => ({ ...step, bundled: true }));
