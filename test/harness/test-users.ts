// The users of one test file, on the shared system of its worker.
import { beforeAll } from 'vitest';
import { sharedSystem } from './shared-system.ts';
import type { System } from './system.ts';
import { createTestUser, type TestUser } from './test-user.ts';

export interface TestUsers {
  /** Available from the first test on. */
  system(): System;
  key(): string;
  createUser(body?: object): Promise<TestUser>;
  /** Processes all pending work, including work that is delayed by five seconds. */
  settle(): Promise<void>;
}

export function testUsers(): TestUsers {
  let system: System;
  let key: string;
  beforeAll(async () => {
    system = await sharedSystem();
    key = (await system.account()).live_key;
  });
  return {
    system: () => system,
    key: () => key,
    createUser: (body) => createTestUser(system, key, body),
    async settle() {
      await system.host.drain();
      system.clock.advance(5_000);
      await system.host.drain();
    },
  };
}
