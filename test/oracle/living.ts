// One life while it is lived: the service's user and the model's person side by side.
import type { System } from '../harness/system.ts';
import type { Life } from './life.ts';
import type { Person } from './person.ts';

export interface Living {
  system: System;
  key: string;
  /** Reads the same person in Form 1. */
  form1Key: string;
  userId: string;
  person: Person;
  life: Life;
  /** Where the last reading of the events feed ended. */
  feedCursor: string | null;
  /** Waits until the service has worked everything in. */
  settle(): Promise<void>;
}
