// The one writer of a person against callers, at every table call; with deaths and a zombie for one scenario of each
// kind. `npm run test:deep` tries all of them in every way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  everyDeathEndsInPeace,
  everyOrderEndsInPeace,
  everyZombieEndsInPeace,
  mustRunAlike,
} from '../../harness/races/end-in-peace.ts';
import { oneOfEach, withCall } from '../../harness/races/scenarios/every-race.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';

test.each(withCall)('a call at any moment ends as if all had been told in peace: $name', (scenario) =>
  everyOrderEndsInPeace(scenario, { switches: 1, seeds: 1 }),
);

describe('where the writer stops', () => {
  test('there is a scenario of each kind', () => expect(oneOfEach).toHaveLength(10));
  test.each(oneOfEach)('a death does no harm: $name', (scenario) =>
    everyDeathEndsInPeace(scenario, 'before and after'),
  );
  test.each(oneOfEach)('a writer that was overtaken changes nothing: $name', everyZombieEndsInPeace);
});

describe('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await openWorkshop();
  });
  afterAll(() => shop.place.stop());

  test.each(oneOfEach.slice(0, 4))('when $name', (scenario) => mustRunAlike(shop.place.table, scenario, [1]));
});
