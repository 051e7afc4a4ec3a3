import { expect, test } from 'vitest';
import { pushApi } from '../../../../../functions/api/push/app.ts';
import { askKit } from '../../../../harness/kit-request.ts';
import { syncWorld } from '../../../../harness/sync-world.ts';

test('a vendor that wants to hear nothing back hears nothing', async () => {
  const world = syncWorld({ provider: 'google_health' });
  const headers = { authorization: world.vendor.credentials.more['subscriber_secret'] ?? '' };
  const asking = { method: 'POST', headers, body: '{}' };
  const told = await askKit(pushApi(world.deps), '/v1/providers/google_health/push', asking);
  expect([told.status, await told.text(), told.headers.get('content-type')]).toEqual([204, '', null]);
});
