// Runs a scenario in many schedules. A failure prints how many schedules failed and the calls of
// the simplest one.
import { expect } from 'vitest';
import type { Table } from '../../../shared/platform/ports.ts';
import { type ScheduleCoverage, tryEverySwitch } from './context-switches.ts';
import { type Moments, tryEveryCallerCrash, tryEveryWriterCrash, tryEveryZombie } from './crashes.ts';
import {
  createRace,
  explore,
  prepareInMemory,
  prepareInTable,
  type RunSchedule,
  type Scenario,
  traceOf,
} from './race.ts';
import { randomSchedule } from './schedule.ts';

type ExploreSchedules = (attempt: RunSchedule) => Promise<ScheduleCoverage>;

/** The call happens at every point, as a whole or in two parts. */
export async function expectEveryOrderConsistent(
  scenario: Scenario,
  { switches, seeds }: { switches: 1 | 2; seeds: number },
): Promise<void> {
  const many: ExploreSchedules = async (attempt) => {
    for (let seed = 1; seed <= seeds; seed++) await attempt(randomSchedule(seed, 'call'));
    return { tried: seeds, alike: 0 };
  };
  await expectConsistent(scenario, 5, [
    (attempt) => tryEverySwitch('writer', attempt, switches),
    (attempt) => tryEverySwitch('other', attempt, switches),
    many,
  ]);
}

/** The writer crashes after any of its writes, or the caller at any of its calls. */
export const expectEveryCrashConsistent = (scenario: Scenario, moments: Moments): Promise<void> =>
  expectConsistent(scenario, 2, [
    (attempt) => tryEveryWriterCrash(attempt, scenario.call !== undefined, moments),
    ...(scenario.replayWithoutCall ? [tryEveryCallerCrash] : []),
  ]);

/**
 * The writer stalls at any of its calls and continues after another took over. By then its deadline
 * has passed, so the call may have changed the data that it read. A writer that takes over too soon
 * works on the same data.
 */
export async function expectEveryZombieConsistent(scenario: Scenario): Promise<void> {
  const hasCall = scenario.call !== undefined;
  await expectConsistent(scenario, 8, [
    (attempt) => tryEveryZombie(attempt, hasCall, false),
    ...(hasCall && !scenario.isFenced ? [] : [(attempt: RunSchedule) => tryEveryZombie(attempt, hasCall, true)]),
  ]);
}

async function expectConsistent(
  scenario: Scenario,
  minTried: number,
  kinds: readonly ExploreSchedules[],
): Promise<void> {
  const explored = await explore(createRace(scenario, prepareInMemory(scenario)), ...kinds);
  const [simplest] = explored.failures;
  if (simplest) {
    const { schedule, steps, writerErrors, actual, expected } = simplest;
    const heading = `${explored.failures.length} of ${explored.tried} schedules fail. The simplest:`;
    expect(actual, [heading, schedule, ...traceOf(steps), ...writerErrors.map(String)].join('\n')).toEqual(expected[0]);
  }
  expect(explored.tried).toBeGreaterThan(minTried);
}

/** An engine must make the same calls with the same outcomes as the in-memory table. */
export async function expectSameOnEngine(table: Table, scenario: Scenario, seeds: readonly number[]): Promise<void> {
  const inMemory = createRace(scenario, prepareInMemory(scenario));
  const onEngine = createRace(scenario, prepareInTable(table, scenario));
  for (const seed of seeds) {
    const schedule = () => randomSchedule(seed, 'call');
    const [simulated, real] = await Promise.all([inMemory(schedule()), onEngine(schedule())]);
    expect(traceOf(real.steps)).toEqual(traceOf(simulated.steps));
    expect(real.actual).toEqual(simulated.actual);
  }
}
