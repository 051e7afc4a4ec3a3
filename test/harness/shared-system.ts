// One system for all the files that a worker runs, one after the other: starting one for each of them
// took as long as what many of them test.
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { TestClock } from './clock.ts';
import { onWorkerExit } from './on-worker-exit.ts';
import { once } from './once.ts';
import { type System, startSystem } from './system.ts';

const hourMs = 3_600_000;
const sharedInstance = once(() => startShared(hourMs));
const timeTravelInstance = once(() => startShared(Number.POSITIVE_INFINITY));

/**
 * The system of this worker, with nothing left to do. It has credentials for one provider, Oura. A
 * file makes accounts of its own here, so no file sees what another one wrote. It starts a system of
 * its own where it needs other options, where it puts the clock back or holds it, and where it counts
 * what belongs to no account: limits by address, signing keys, dead letters.
 *
 * The clock only goes forward, by an hour at once at most, and later files find it hours ahead of the
 * real one. So a test takes the time from `clock.now()`, never from `Date.now()`.
 */
export const sharedSystem = (): Promise<System> => startDrained(sharedInstance);

/**
 * Another one of this worker, with a root secret of its own. Tests put its clock forward by days and
 * months, so each test makes the keys that it uses.
 */
export const timeTravelSystem = (): Promise<System> => startDrained(timeTravelInstance);

async function startDrained(start: () => Promise<System>): Promise<System> {
  const system = await start();
  await system.host.drain();
  return system;
}

async function startShared(maxAdvanceMs: number): Promise<System> {
  const oura = JSON.stringify({ client_id: 'daybook', client_secret: 'of a test' });
  const system = await startSystem({ env: { ...process.env, [settingNames.provider('oura')]: oura } });
  onWorkerExit(() => system.stop());
  return {
    ...system,
    clock: sharedClock(system.clock, maxAdvanceMs),
    async stop() {
      throw new Error('a shared system ends with its worker');
    },
  };
}

function sharedClock(clock: TestClock, maxAdvanceMs: number): TestClock {
  return {
    ...clock,
    advance(milliseconds) {
      if (milliseconds < 0 || milliseconds > maxAdvanceMs)
        throw new Error('the clock that files share goes on in small steps');
      clock.advance(milliseconds);
    },
    freeze() {
      throw new Error('a test that holds the clock has a system of its own');
    },
  };
}
