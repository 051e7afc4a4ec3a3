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
  let shop: EngineDomainWorld;
  beforeAll(async () => {
    shop = await openEngineDomainWorld();
  });
  afterAll(() => shop.localTable.stop());

  test.each(allScenarios)('when $name', (scenario) => expectSameOnEngine(shop.localTable.table, scenario, [1, 2]));
});
