// Keys of what environments counted.
import type { Key } from '../platform/ports.ts';
import type { Environment } from './caller.ts';
import { toSortableTimestamp } from './keys.ts';

export const countKeys = {
  /** An hour of an environment; the newest sorts last. */
  hour: (account: string, env: Environment, startMs: number): Key => ({
    pk: `E#${account}#${env}#HOURS`,
    sk: toSortableTimestamp(startMs),
  }),
  /** The hour that the sweep stores, and how far it is. */
  progress: { pk: 'SWEEP', sk: '@HOURS' } satisfies Key,
} as const;
