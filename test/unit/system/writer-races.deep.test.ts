import { afterAll, beforeAll, describe, test } from 'vitest';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import {
  expectEveryCrashConsistent,
  expectEveryOrderConsistent,
  expectEveryZombieConsistent,
  expectSameOnEngine,
} from '../../harness/races/race-assertions.ts';
import {
  allScenarios,
  scenariosWithCall,
  scenariosWithoutConcurrentCall,
} from '../../harness/races/scenarios/all-scenarios.ts';

describe('the single writer of a user ends as if everything had run in sequence', () => {
  test.each(scenariosWithCall)('in every order: $name', (scenario) =>
    expectEveryOrderConsistent(scenario, { switches: 2, seeds: 20 }),
  );
  test.each(scenariosWithoutConcurrentCall)('with a crash at any point: $name', (scenario) =>
    expectEveryCrashConsistent(scenario, 'every'),
  );
  test.each(scenariosWithoutConcurrentCall)('with a stale writer at any point: $name', expectEveryZombieConsistent);
});

describe('the engine receives the same calls with the same outcomes as the in-memory table', () => {
  let world: EngineDomainWorld;
  beforeAll(async () => {
    world = await openEngineDomainWorld();
  });
  afterAll(() => world.localTable.stop());

  test.each(allScenarios)('when $name', (scenario) => expectSameOnEngine(world.localTable.table, scenario, [1, 2]));
});
