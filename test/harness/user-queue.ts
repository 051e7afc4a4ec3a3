// The queue of the user's writer as SQS has it, on virtual time: a deduplication key is remembered
// for five minutes after it was sent, even when its message was delivered or purged.
import { userWorker } from '../../functions/workers/write-user.ts';
import type { Clock } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type Job, jobs } from '../../shared/system/jobs.ts';

const rememberedMs = 5 * 60_000;

export interface UserQueue {
  waiting: Job<'user'>[];
  queue: Deps['queue'];
  /** Handles the messages that wait, and those that their runs send. Returns how many there were. */
  drain(deps: Deps): Promise<number>;
  purge(): void;
}

export function openUserQueue(clock: Clock): UserQueue {
  const sentAt = new Map<string, number>();
  const waiting: Job<'user'>[] = [];
  const accept = (body: unknown, key: string | undefined): void => {
    const job = jobs.user.parse(body);
    const nowMs = clock.now();
    const name = `${job.user_id} ${key}`;
    if (key !== undefined && nowMs - (sentAt.get(name) ?? Number.NEGATIVE_INFINITY) < rememberedMs) return;
    if (key !== undefined) sentAt.set(name, nowMs);
    waiting.push(job);
  };
  return {
    waiting,
    queue: {
      send: async (name, body, options) => {
        if (name === 'user') accept(body, options?.deduplicationKey);
      },
      sendAll: async (name, bodies, options) => {
        const { deduplicationKey: keys } = options ?? {};
        if (name === 'user')
          for (const [at, body] of bodies.entries()) accept(body, typeof keys === 'string' ? keys : keys?.[at]);
      },
      postpone: async () => {},
    },
    async drain(deps) {
      let handled = 0;
      for (let job = waiting.shift(); job; job = waiting.shift()) {
        await userWorker(deps)(job, { receives: 1 });
        handled++;
      }
      return handled;
    },
    purge() {
      waiting.length = 0;
    },
  };
}
