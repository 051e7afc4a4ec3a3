// A scenario in many schedules, and what a failure prints: how many failed, and the calls that led to the simplest of them.
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

/** The call comes at every moment, whole or in two parts. */
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

/** The writer dies after any of its writes, or the caller at any of its calls. */
export const expectEveryCrashConsistent = (scenario: Scenario, moments: Moments): Promise<void> =>
  expectConsistent(scenario, 2, [
    (attempt) => tryEveryWriterCrash(attempt, scenario.call !== undefined, moments),
    ...(scenario.replayWithoutCall ? [tryEveryCallerCrash] : []),
  ]);

/**
 * The writer stalls at any of its calls, and goes on after another took over. By then its life is over, so the call
 * may have changed what it knew; a writer that overtakes too soon knows the same.
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
  atLeast: number,
  kinds: readonly ExploreSchedules[],
): Promise<void> {
  const explored = await explore(createRace(scenario, prepareInMemory(scenario)), ...kinds);
  const [simplest] = explored.failures;
  if (simplest) {
    const { schedule, steps, writerErrors: thrown, actual: found, expected: wanted } = simplest;
    const heading = `${explored.failures.length} of ${explored.tried} schedules fail; the simplest:`;
    expect(found, [heading, schedule, ...traceOf(steps), ...thrown.map(String)].join('\n')).toEqual(wanted[0]);
  }
  expect(explored.tried).toBeGreaterThan(atLeast);
}

/** An engine makes the same calls with the same outcomes as the table in memory. */
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
