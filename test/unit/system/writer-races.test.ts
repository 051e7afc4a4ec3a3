// The single writer of a user against concurrent calls, at every table call, with crashes and a
// stale writer for one scenario of each kind. `npm run test:deep` tries all of them in every way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import {
  expectEveryCrashConsistent,
  expectEveryOrderConsistent,
  expectEveryZombieConsistent,
  expectSameOnEngine,
} from '../../harness/races/race-assertions.ts';
import { representativeScenarios, scenariosWithCall } from '../../harness/races/scenarios/all-scenarios.ts';

test.each(scenariosWithCall)('a call at any moment ends as if everything had run in sequence: $name', (scenario) =>
  expectEveryOrderConsistent(scenario, { switches: 1, seeds: 1 }),
);

describe('when the writer stops', () => {
  test('there is a scenario of each kind', () => expect(representativeScenarios).toHaveLength(10));
  test.each(representativeScenarios)('a crash does no harm: $name', (scenario) =>
    expectEveryCrashConsistent(scenario, 'before and after'),
  );
  test.each(representativeScenarios)('a stale writer changes nothing: $name', expectEveryZombieConsistent);
});

describe('the engine receives the same calls with the same outcomes as the in-memory table', () => {
  let world: EngineDomainWorld;
  beforeAll(async () => {
    world = await openEngineDomainWorld();
  });
  afterAll(() => world.localTable.stop());

  test.each(representativeScenarios.slice(0, 4))('when $name', (scenario) =>
    expectSameOnEngine(world.localTable.table, scenario, [1]),
  );
});
