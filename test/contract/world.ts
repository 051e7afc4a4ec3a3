// The running system for the contract tests: one per worker, at noon on 16 March 2026, with its own
// fake providers to connect to.
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach } from 'vitest';
import { apiKeyHash } from '../../shared/accounts/accounts.ts';
import { admitApiKey } from '../../shared/accounts/admit-api-key.ts';
import { onWorkerExit } from '../harness/on-worker-exit.ts';
import { once } from '../harness/once.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import type { ApiResponse } from '../harness/send-request.ts';

export const today = '2026-03-16';
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export interface World extends Omit<ProviderSystem, 'get' | 'stop'> {
  accountId: string;
  /** Reads the users of the live environment on Form 1. */
  form1Key: string;
  /** Uses the live key unless another token is passed; null sends none. */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<ApiResponse>;
  get(path: string, token?: string | null): Promise<ApiResponse>;
  /** While `work` runs, random bytes are unavailable, which causes an internal error. */
  withoutRandom<T>(work: () => Promise<T>): Promise<T>;
  /** Processes everything that is due now, and what is delayed by a few seconds. */
  settle(): Promise<void>;
  /** Advances the clock, runs the schedules, and processes everything that is due. */
  passTime(milliseconds: number): Promise<void>;
}

const openWorld = once(async (): Promise<World> => {
  let isRandomUnavailable = false;
  const random = {
    bytes(count: number): Uint8Array {
      if (isRandomUnavailable) throw new Error('no random bytes');
      return randomBytes(count);
    },
  };
  const providerSystem = await startProviderSystem({
    startMs: Date.parse(`${today}T12:00:00Z`),
    only: ['garmin', 'ultrahuman'],
    random,
  });
  onWorkerExit(() => providerSystem.stop());
  const { system, key } = providerSystem;
  const { deps } = system.host;
  const { account } = (await admitApiKey(deps, apiKeyHash(deps, key))).caller;

  const call: World['call'] = (method, path, body, token = key) =>
    system.call(method, path, {
      ...(token === null ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    });
  const settle = async () => {
    await system.host.drain();
    system.clock.advance(5_000);
    await system.host.drain();
  };
  return {
    ...providerSystem,
    accountId: account,
    form1Key: await system.form1Key(account),
    call,
    get: (path, token) => call('GET', path, undefined, token),
    async withoutRandom(work) {
      isRandomUnavailable = true;
      try {
        return await work();
      } finally {
        isRandomUnavailable = false;
      }
    },
    settle,
    async passTime(milliseconds) {
      system.clock.advance(milliseconds);
      await system.host.runSchedule('poll');
      await system.host.runSchedule('sweep');
      await settle();
    },
  };
});

/**
 * Opens the world for the cases of one file. The clock advances before each case, so that no case
 * hits the rate limit by accident.
 */
export function contractWorld(): () => World {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  beforeEach(() => world.system.clock.advance(500));
  return () => world;
}

/** Returns the status and error code of a response, such as `404 not_found`. */
export const outcome = ({ status, body }: ApiResponse): string =>
  body?.error ? `${status} ${body.error}` : String(status);
