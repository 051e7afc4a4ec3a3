// One system for all the files that a worker runs in turn, because starting one for each file took
// as long as many of the tests.
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { TestClock } from './clock.ts';
import { onWorkerExit } from './on-worker-exit.ts';
import { once } from './once.ts';
import { type System, startSystem } from './system.ts';

const hourMs = 3_600_000;
const sharedInstance = once(() => startShared(hourMs));
const timeTravelInstance = once(() => startShared(Number.POSITIVE_INFINITY));

/**
 * The system of this worker, with no pending work. It has credentials for one provider, Oura. Each
 * file creates its own accounts here, so no file sees what another one wrote. A file starts its own
 * system if it needs other options, if it sets the clock back or freezes it, or if it counts what
 * belongs to no account: rate limits by address, signing keys, dead letters.
 *
 * The clock only moves forward, by at most an hour at a time, and later files find it hours ahead
 * of the real one. A test therefore takes the time from `clock.now()`, never from `Date.now()`.
 */
export const sharedSystem = (): Promise<System> => startDrained(sharedInstance);

/**
 * Another system of this worker, with its own root secret. Tests advance its clock by days and
 * months, so each test creates the keys that it uses.
 */
export const timeTravelSystem = (): Promise<System> => startDrained(timeTravelInstance);

async function startDrained(start: () => Promise<System>): Promise<System> {
  const system = await start();
  await system.host.drain();
  return system;
}

async function startShared(maxAdvanceMs: number): Promise<System> {
  const system = await startSystem({ env: environmentWithOura() });
  onWorkerExit(() => system.stop());
  return {
    ...system,
    clock: sharedClock(system.clock, maxAdvanceMs),
    async stop() {
      throw new Error('a shared system stops only with its worker');
    },
  };
}

/** The environment of a system that has credentials for one provider, Oura. */
export function environmentWithOura(): NodeJS.ProcessEnv {
  const oura = JSON.stringify({ client_id: 'daybook', client_secret: 'of a test' });
  return { ...process.env, [settingNames.provider('oura')]: oura };
}

function sharedClock(clock: TestClock, maxAdvanceMs: number): TestClock {
  return {
    ...clock,
    advance(milliseconds) {
      if (milliseconds < 0 || milliseconds > maxAdvanceMs)
        throw new Error('the shared clock can only be advanced in small steps');
      clock.advance(milliseconds);
    },
    freeze() {
      throw new Error('a test that freezes the clock needs its own system');
    },
  };
}
