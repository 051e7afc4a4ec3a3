// Emulates EventBridge's scheduled rules: a function runs at its interval, and never twice at the
// same time.
import { randomUUID } from 'node:crypto';
import type { Clock, Log } from '../../shared/platform/ports.ts';
import type { Activity } from './activity.ts';
import { localRegion } from './engines/connection.ts';
import type { Run } from './function-runner.ts';

export interface Scheduler {
  /**
   * Runs a function as its schedule would, and throws what it throws. If a run is in progress,
   * waits for it first.
   */
  runNow(functionName: string): Promise<void>;
  stop(): void;
}

export function startScheduler(options: {
  schedules: { functionName: string; everyMinutes: number }[];
  /** If false, only `runNow` runs anything. */
  ticking: boolean;
  run: Run;
  clock: Clock;
  log: Log;
  activity: Activity;
}): Scheduler {
  const { schedules, run, clock, log, activity } = options;
  const running = new Map<string, Promise<void>>();

  async function runOnce(functionName: string): Promise<void> {
    try {
      await activity.track(() => run(functionName, scheduledEvent(functionName, clock.now())));
    } finally {
      running.delete(functionName);
    }
  }

  const timers = options.ticking
    ? schedules.map(({ functionName, everyMinutes }) =>
        setInterval(() => {
          if (running.has(functionName)) return;
          const current = runOnce(functionName);
          running.set(functionName, current);
          current.catch((error) => log('error', 'schedule_failed', { function: functionName, cause: error }));
        }, everyMinutes * 60_000),
      )
    : [];

  return {
    async runNow(functionName) {
      if (!schedules.some((schedule) => schedule.functionName === functionName)) {
        throw new Error(`the function manifest has no schedule for a function named ${functionName}`);
      }
      for (let previous = running.get(functionName); previous; previous = running.get(functionName)) {
        await Promise.allSettled([previous]);
      }
      const current = runOnce(functionName);
      running.set(functionName, current);
      await current;
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

function scheduledEvent(functionName: string, now: number) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time: new Date(now).toISOString(),
    region: localRegion,
    resources: [`arn:aws:events:${localRegion}:000000000000:rule/${functionName}`],
    detail: {},
  };
}
