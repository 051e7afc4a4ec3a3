import { expect, test } from 'vitest';
import { listDevices } from '../../../../shared/domain/devices/devices.ts';
import { hours, syncWorld } from '../../../harness/sync-world.ts';
import { refreshes } from '../../../harness/vendor-in-process.ts';

const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const tokens = { access_token: 'of-another', refresh_token: 'of-another', expires_in: 3600 };

/** Accounts as each vendor names them. */
const namings = [
  { provider: 'withings', own: '4711', reply: { status: 0, body: { ...tokens, userid: 666 } } },
  { provider: 'coros', own: 'ann', reply: { ...tokens, openId: '666' } },
  { provider: 'strava', own: '4711', reply: { ...tokens, athlete: { id: 666 } } },
  { provider: 'suunto', own: 'ann', reply: { ...tokens, access_token: jwt({ user: '666' }) } },
] as const;

test.each(namings)(
  'tokens of another account that $provider answers a refresh with are not used, and nobody is disconnected',
  async ({ provider, own, reply }) => {
    const world = syncWorld({ provider });
    const user = await world.user();
    const device = await world.connect(user, own);
    await world.work();
    const before = await world.row(user, device);
    const end = world.vendor.fault(refreshes, { status: 200, headers: {}, text: JSON.stringify(reply) });
    // Of some a token is good for a month.
    for (let i = 0; i < 30; i++) await world.later(hours(24));
    expect(world.vendor.requests.filter(refreshes).length).toBeGreaterThan(0);
    expect((await world.row(user, device))?.grant).toBe(before?.grant);
    const told = world.log.filter(({ message }) => message.includes('another account'));
    expect(told[0]).toMatchObject({ level: 'warn', fields: { provider, device_id: device } });
    expect(JSON.stringify(world.log)).not.toMatch(/666|4711|of-another/);
    end();
    for (let i = 0; i < 30; i++) await world.later(hours(1));
    expect((await listDevices(world.deps, world.caller, user))[0]).toMatchObject({
      status: 'active',
      sync: { state: 'current' },
    });
  },
);
