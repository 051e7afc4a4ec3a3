// An unauthenticated body is never parsed: headers, path and raw bytes show whether a push is from
// its provider.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { getPushAdapter } from '../../../../shared/providers/adapters.ts';
import { defaultMaxPushBytes } from '../../../../shared/providers/kit/push.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const marker = 'written-by-a-stranger';
/**
 * Bodies with many fields: longer than a ping, and as long as notifications, lists of notifications
 * and data may be.
 */
const bodies = [2_000, 60_000, 900_000, 4_400_000].map((bytes) => {
  const fields = Array.from({ length: Math.floor(bytes / 20) }, (_none, n) => `"f${n}":{"a":${n % 10}}`);
  return { bytes, text: `{"event":"${marker}","type":"verification",${fields.join(',')}}` };
});

/** The longest bodies of providers that send more than notifications. */
const maxBodyBytes: Partial<Record<CloudProviderId, number>> = {
  garmin: 4_400_000,
  suunto: 4_400_000,
  coros: 4_400_000,
  google_health: 900_000,
};

const invalidHeaders = {
  'x-oura-timestamp': '1773316800',
  'x-oura-signature': '00'.repeat(32),
  'x-whoop-signature-timestamp': '1773316800000',
  'x-whoop-signature': 'AAAA',
  'polar-webhook-signature': '00'.repeat(32),
  'x-hmac-sha256-signature': '00'.repeat(32),
  'x-strava-signature': 't=1773316800,v1=00',
  'garmin-client-id': 'guessed',
  authorization: 'guessed',
};

describe.each(cloudProviderIds.filter((provider) => getPushAdapter(provider)))('%s', (provider) => {
  test.each(bodies)(
    'rejects an unauthenticated body of $bytes bytes without parsing it, with wrong secrets and with none',
    async ({ bytes, text }) => {
      const world = syncWorld({ provider });
      const parse = vi.spyOn(JSON, 'parse');
      for (const headers of [{}, invalidHeaders])
        for (const pathSecret of [undefined, 'guessed']) {
          const push = { method: 'POST' as const, headers, query: {}, pathSecret, body: Buffer.from(text) };
          const outcome = acceptPush(world.deps, provider, { ...push, receivedMs: world.clock.now() });
          await expect(outcome).rejects.toMatchObject({
            code: bytes <= (maxBodyBytes[provider] ?? 60_000) ? 'unauthorized' : 'payload_too_large',
          });
        }
      // Polar's ping is recognized by its content and has two fields.
      const mayBeParsed = provider === 'polar' && text.length <= 1_000;
      const parsed = parse.mock.calls.filter(([source]) => String(source).includes(marker));
      expect(parsed.length > 0 && !mayBeParsed).toBe(false);
    },
  );
});

test('a body of exactly the maximum length is checked, and one byte more is too large', async () => {
  const world = syncWorld();
  const outcome = (bytes: number) => world.pushRaw('x'.repeat(bytes), { method: 'POST', headers: {}, query: {} });
  await expect(outcome(defaultMaxPushBytes)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(outcome(defaultMaxPushBytes + 1)).rejects.toMatchObject({ code: 'payload_too_large' });
});
