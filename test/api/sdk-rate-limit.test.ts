// The rate limit of an SDK session.
import { afterAll, expect, test } from 'vitest';
import { createCredentials, makeUpload, upload } from '../harness/sdk.ts';
import { startSystem } from '../harness/system.ts';

let at = Date.now();
// The clock stands still, so that buckets do not refill.
const system = await startSystem({ clock: { now: () => at } });
afterAll(() => system.stop());

const full = '"default";q=30;w=30';

test('a session is refused after thirty uploads at once, with the time to wait, and can still be ended', async () => {
  const { live_key } = await system.account();
  const userId = await system.user(live_key);
  const [first, second] = [
    await createCredentials(system, live_key, userId),
    await createCredentials(system, live_key, userId),
  ];
  const results = await Promise.all(Array.from({ length: 40 }, () => upload(system, first.access_token, makeUpload())));
  expect(results.filter(({ status }) => status === 202)).toHaveLength(30);
  const refused = results.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  for (const { headers, body } of refused) {
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('ratelimit-policy')).toBe(full);
    expect(headers.get('ratelimit')).toBe('"default";r=0;t=30');
    expect(body.details).toEqual({ retry_after_seconds: 1 });
  }
  const other = await upload(system, second.access_token, makeUpload());
  expect(other.status).toBe(202);
  expect(other.headers.get('ratelimit')).toBe('"default";r=29;t=1');

  const end = () => system.call('DELETE', '/v1/sdk/sessions/current', { token: first.access_token });
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(401);
  at += 2_000;
  expect((await upload(system, first.access_token, makeUpload())).status).toBe(401);
});
