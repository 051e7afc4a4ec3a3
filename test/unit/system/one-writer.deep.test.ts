import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  everyDeathEndsInPeace,
  everyOrderEndsInPeace,
  everyZombieEndsInPeace,
  mustRunAlike,
} from '../../harness/races/end-in-peace.ts';
import { everyRace, withCall, withWriter } from '../../harness/races/scenarios/every-race.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';

describe('the one writer of a person ends as if all had been told in peace', () => {
  test.each(withCall)('in every order: $name', (scenario) =>
    everyOrderEndsInPeace(scenario, { switches: 2, seeds: 20 }),
  );
  test.each(withWriter)('whoever dies: $name', (scenario) => everyDeathEndsInPeace(scenario, 'every'));
  test.each(withWriter)('overtaken anywhere: $name', everyZombieEndsInPeace);
});

describe('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await openWorkshop();
  });
  afterAll(() => shop.place.stop());

  test.each(everyRace)('when $name', (scenario) => mustRunAlike(shop.place.table, scenario, [1, 2]));
});
