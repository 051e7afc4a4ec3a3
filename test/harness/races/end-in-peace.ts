// A scenario in many schedules, and what a failure prints: how many failed, and the calls that led to the simplest of them.
import { expect } from 'vitest';
import type { Table } from '../../../shared/platform/ports.ts';
import { everyCallerDeath, everyWriterDeath, everyZombie, type Moments } from './deaths.ts';
import { type Attempt, explore, openRace, preparedIn, preparedInMemory, type Scenario, traceOf } from './race.ts';
import { randomSchedule } from './schedule.ts';
import { type Covered, everyTwoSwitches } from './two-switches.ts';

type TryAll = (attempt: Attempt) => Promise<Covered>;

/** The call comes at every moment, whole or in two parts. */
export async function everyOrderEndsInPeace(
  scenario: Scenario,
  { switches, seeds }: { switches: 1 | 2; seeds: number },
): Promise<void> {
  const many: TryAll = async (attempt) => {
    for (let seed = 1; seed <= seeds; seed++) await attempt(randomSchedule(seed, 'call'));
    return { tried: seeds, alike: 0 };
  };
  await mustEndInPeace(scenario, 5, [
    (attempt) => everyTwoSwitches('writer', attempt, switches),
    (attempt) => everyTwoSwitches('other', attempt, switches),
    many,
  ]);
}

/** The writer dies after any of its writes, or the caller at any of its calls. */
export const everyDeathEndsInPeace = (scenario: Scenario, moments: Moments): Promise<void> =>
  mustEndInPeace(scenario, 2, [
    (attempt) => everyWriterDeath(attempt, scenario.call !== undefined, moments),
    ...(scenario.uncalled ? [everyCallerDeath] : []),
  ]);

/**
 * The writer stalls at any of its calls, and goes on after another took over. By then its life is over, so the call
 * may have changed what it knew; a writer that overtakes too soon knows the same.
 */
export async function everyZombieEndsInPeace(scenario: Scenario): Promise<void> {
  const hasCall = scenario.call !== undefined;
  await mustEndInPeace(scenario, 8, [
    (attempt) => everyZombie(attempt, hasCall, false),
    ...(hasCall && !scenario.isFenced ? [] : [(attempt: Attempt) => everyZombie(attempt, hasCall, true)]),
  ]);
}

async function mustEndInPeace(scenario: Scenario, atLeast: number, kinds: readonly TryAll[]): Promise<void> {
  const explored = await explore(openRace(scenario, preparedInMemory(scenario)), ...kinds);
  const [simplest] = explored.failures;
  if (simplest) {
    const { schedule, steps, thrown, found, wanted } = simplest;
    const heading = `${explored.failures.length} of ${explored.tried} schedules fail; the simplest:`;
    expect(found, [heading, schedule, ...traceOf(steps), ...thrown.map(String)].join('\n')).toEqual(wanted[0]);
  }
  expect(explored.tried).toBeGreaterThan(atLeast);
}

/** An engine makes the same calls with the same outcomes as the table in memory. */
export async function mustRunAlike(table: Table, scenario: Scenario, seeds: readonly number[]): Promise<void> {
  const inMemory = openRace(scenario, preparedInMemory(scenario));
  const onEngine = openRace(scenario, preparedIn(table, scenario));
  for (const seed of seeds) {
    const schedule = () => randomSchedule(seed, 'call');
    const [imagined, real] = await Promise.all([inMemory(schedule()), onEngine(schedule())]);
    expect(traceOf(real.steps)).toEqual(traceOf(imagined.steps));
    expect(real.found).toEqual(imagined.found);
  }
}
