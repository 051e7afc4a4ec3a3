// The people of one test file, on the system of its worker.
import { beforeAll } from 'vitest';
import { openPerson, type Person } from './person.ts';
import { sharedSystem } from './shared-system.ts';
import type { System } from './system.ts';

export interface People {
  /** From the first test on. */
  system(): System;
  key(): string;
  person(body?: object): Promise<Person>;
  /** What was asked for is carried out, with what waits for its five seconds. */
  settle(): Promise<void>;
}

export function people(): People {
  let system: System;
  let key: string;
  beforeAll(async () => {
    system = await sharedSystem();
    key = (await system.account()).live_key;
  });
  return {
    system: () => system,
    key: () => key,
    person: (body) => openPerson(system, key, body),
    async settle() {
      await system.host.drain();
      system.clock.advance(5_000);
      await system.host.drain();
    },
  };
}
