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

describe('the one writer of a person ends as if all had been told in peace', () => {
  test.each(scenariosWithCall)('in every order: $name', (scenario) =>
    expectEveryOrderConsistent(scenario, { switches: 2, seeds: 20 }),
  );
  test.each(scenariosWithoutConcurrentCall)('whoever dies: $name', (scenario) =>
    expectEveryCrashConsistent(scenario, 'every'),
  );
  test.each(scenariosWithoutConcurrentCall)('overtaken anywhere: $name', expectEveryZombieConsistent);
});

describe('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: EngineDomainWorld;
  beforeAll(async () => {
    shop = await openEngineDomainWorld();
  });
  afterAll(() => shop.localTable.stop());

  test.each(allScenarios)('when $name', (scenario) => expectSameOnEngine(shop.localTable.table, scenario, [1, 2]));
});
