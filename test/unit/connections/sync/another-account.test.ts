import { expect, test } from 'vitest';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { printLog } from '../../../harness/print-log.ts';
import { hours, syncWorld } from '../../../harness/sync-world.ts';

const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const tokens = { access_token: 'of-another', refresh_token: 'of-another', expires_in: 3600 };

/** Account ids that are too long to occur by chance in a random id. */
const own = '471147114711';
const other = 666_066_606_660;
const refreshReplies = [
  { provider: 'withings', reply: { status: 0, body: { ...tokens, userid: other } } },
  { provider: 'coros', reply: { ...tokens, openId: String(other) } },
  { provider: 'strava', reply: { ...tokens, athlete: { id: other } } },
  { provider: 'suunto', reply: { ...tokens, access_token: jwt({ user: String(other) }) } },
] as const;

test.each(refreshReplies)(
  'tokens of another account in a refresh response from $provider are not used, and nobody is disconnected',
  async ({ provider, reply }) => {
    const world = syncWorld({ provider });
    const user = await world.user();
    const device = await world.connect(user, own);
    await world.processQueue();
    const before = await world.readConnection(user, device);
    const end = world.fakeProvider.fault(isRefreshCall, { status: 200, headers: {}, text: JSON.stringify(reply) });
    // The tokens of some providers are valid for a month.
    for (let i = 0; i < 30; i++) await world.passTime(hours(24));
    expect(world.fakeProvider.requests.filter(isRefreshCall).length).toBeGreaterThan(0);
    expect((await world.readConnection(user, device))?.grant).toBe(before?.grant);
    const warnings = world.log.filter(({ message }) => message === 'token_refresh_account_mismatch');
    expect(warnings[0]).toMatchObject({ level: 'warn', fields: { provider, device_id: device } });
    expect(printLog(world.log)).not.toMatch(new RegExp(`${other}|${own}|of-another`));
    end();
    for (let i = 0; i < 30; i++) await world.passTime(hours(1));
    expect((await listDevices(world.deps, world.caller, user))[0]).toMatchObject({
      status: 'active',
      sync: { state: 'current' },
    });
  },
);
