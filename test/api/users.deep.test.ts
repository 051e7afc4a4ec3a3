import { test } from 'vitest';
import { sharedSystem } from '../harness/shared-system.ts';
import { pageThroughUsers } from './user-pages.ts';

test('250 users are listed once each, newest first, with every limit, while others are being created', async () => {
  const system = await sharedSystem();
  const { live_key } = await system.account();
  await pageThroughUsers(system, live_key, 250, [1, 2, 3, 7, 49, 50, 99, 100]);
  // Some seven hundred requests.
}, 90_000);
