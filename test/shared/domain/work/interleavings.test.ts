// One switch at every moment, some orders with many, and deaths before another worker comes.
// `npm run test:deep` tries every two switches and every death.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explore, exploreDeaths, openRace, preparedInMemory } from '../../../harness/races/interleavings.ts';
import { mustRunAlike } from '../../../harness/races/on-engine.ts';
import { mustAllEndInPeace, replay, replayed, replaying } from '../../../harness/races/race-report.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';
import { moves } from '../../../harness/races/scenarios/moves.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';

describe.skipIf(replaying)('two workers of one user end as if all had been told in peace', () => {
  test.each(everyRace.filter(({ deepOnly }) => !deepOnly))('when $name', async (scenario) => {
    const race = openRace(scenario, preparedInMemory(scenario));
    const explored = await explore(race, { switches: 1, seeds: 1 });
    mustAllEndInPeace(scenario, explored);
    expect(explored.tried).toBeGreaterThan(10);
    const deaths = await exploreDeaths(race, 'before the other comes');
    mustAllEndInPeace(scenario, deaths);
    expect(deaths.tried).toBeGreaterThan(3);
  });
});

describe.skipIf(replaying)('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await openWorkshop();
  });
  afterAll(() => shop.place.stop());

  test.each(moves)('when $name', (scenario) => mustRunAlike(shop.place.table, scenario, [1]));
});

test.runIf(replaying).each(replayed(everyRace))('$name', replay);
