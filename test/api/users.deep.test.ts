import { test } from 'vitest';
import { sharedSystem } from '../harness/shared-system.ts';
import { pageThroughUsers } from './user-pages.ts';

test('pages through 250 users once each, newest first, in every limit, while others are being created', async () => {
  const system = await sharedSystem();
  const { live_key } = await system.account();
  await pageThroughUsers(system, live_key, 250, [1, 2, 3, 7, 49, 50, 99, 100]);
  // Some seven hundred requests.
}, 90_000);
