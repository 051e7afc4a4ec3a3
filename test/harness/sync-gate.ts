// Holds the sync of a user's new connection after every window of days that it has stored, so that
// a test sees each state of a backfill for as long as it needs.
import type { Queue } from '../../shared/platform/ports.ts';
import { jobs } from '../../shared/system/jobs.ts';

export interface SyncGate {
  /** For the host's option `wrapQueue`. */
  wrap(queue: Queue): Queue;
  /** From now on, a connection of this user that has not started to sync does not start. */
  hold(userId: string): void;
  /**
   * Lets the sync continue up to its next window of days. What it stored before is then part of its
   * progress; the new window is not yet.
   */
  step(): Promise<void>;
  /** Lets everything through again. */
  release(): Promise<void>;
}

export function createSyncGate(): SyncGate {
  let heldUser: string | undefined;
  let isStepping = false;
  const heldWakes: (() => Promise<void>)[] = [];
  const knownDevices = new Set<string>();
  let stored = Promise.withResolvers<void>();
  let next = Promise.withResolvers<void>();
  const isHeld = (body: unknown): boolean => {
    const job = jobs.user.safeParse(body);
    return job.success && job.data.user_id === heldUser;
  };
  const findDevice = (body: unknown): string | undefined => {
    const job = jobs.connection.safeParse(body);
    return job.success && 'device_id' in job.data ? job.data.device_id : undefined;
  };
  const begin = async (): Promise<void> => {
    isStepping = true;
    for (const wake of heldWakes.splice(0)) await wake();
  };
  return {
    wrap: (queue) => ({
      async send(name, body, options) {
        const device = name === 'connection' ? findDevice(body) : undefined;
        if (device !== undefined && heldUser === undefined) knownDevices.add(device);
        if (isHeld(body)) {
          if (device !== undefined && !knownDevices.has(device) && !isStepping) {
            heldWakes.push(() => queue.send(name, body, options));
            return;
          }
          // The sync sends this message when it has stored a window.
          if (name === 'user' && isStepping) {
            stored.resolve();
            await next.promise;
          }
        }
        await queue.send(name, body, options);
      },
      sendAll: queue.sendAll,
      postpone: queue.postpone,
    }),
    hold(userId) {
      heldUser = userId;
      isStepping = false;
    },
    async step() {
      next.resolve();
      stored = Promise.withResolvers();
      next = Promise.withResolvers();
      await begin();
      await stored.promise;
    },
    async release() {
      heldUser = undefined;
      next.resolve();
      await begin();
    },
  };
}
