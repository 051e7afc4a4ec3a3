import { expect, test } from 'vitest';
import { pushApi } from '../../../../../functions/api/push/app.ts';
import { requestInProcess } from '../../../../harness/in-process-request.ts';
import { syncWorld } from '../../../../harness/sync-world.ts';

test('a provider that expects an empty response gets one', async () => {
  const world = syncWorld({ provider: 'google_health' });
  const headers = { authorization: world.fakeProvider.credentials.more['subscriber_secret'] ?? '' };
  const options = { method: 'POST', headers, body: '{}' };
  const response = await requestInProcess(pushApi(world.deps), '/v1/providers/google_health/push', options);
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([204, '', null]);
});
