// One scenario in progress: the service's user and the model's user.
import type { System } from '../harness/system.ts';
import type { ModelUser } from './model-user.ts';
import type { Scenario } from './scenario.ts';

export interface ScenarioRun {
  system: System;
  key: string;
  /** Reads the same user in Form 1. */
  form1Key: string;
  userId: string;
  user: ModelUser;
  scenario: Scenario;
  /** Where the last read of the events feed ended. */
  feedCursor: string | null;
  /** Waits until the service has processed everything. */
  settle(): Promise<void>;
}
