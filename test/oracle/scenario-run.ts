// One life while it is lived: the service's user and the model's person side by side.
import type { System } from '../harness/system.ts';
import type { ModelUser } from './model-user.ts';
import type { Scenario } from './scenario.ts';

export interface ScenarioRun {
  system: System;
  key: string;
  /** Reads the same person in Form 1. */
  form1Key: string;
  userId: string;
  user: ModelUser;
  scenario: Scenario;
  /** Where the last reading of the events feed ended. */
  feedCursor: string | null;
  /** Waits until the service has worked everything in. */
  settle(): Promise<void>;
}
