// The people of one test file, on a system of their own that ends with the file.
import { afterAll, beforeAll } from 'vitest';
import { openPerson, type Person } from './person.ts';
import { type System, startSystem } from './system.ts';

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
    system = await startSystem();
    key = (await system.account()).live_key;
  });
  afterAll(() => system.stop());
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
