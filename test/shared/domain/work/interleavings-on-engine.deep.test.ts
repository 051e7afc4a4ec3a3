import { afterAll, beforeAll, describe, test } from 'vitest';
import { mustRunAlike } from '../../../harness/races/on-engine.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';

describe('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await openWorkshop();
  });
  afterAll(() => shop.place.stop());

  test.each(everyRace)('when $name', (scenario) => mustRunAlike(shop.place.table, scenario, [1, 2]));
});
