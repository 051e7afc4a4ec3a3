import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explore, openRace, preparedIn, preparedInMemory, traceOf } from '../../../harness/races/interleavings.ts';
import { mustAllEndInPeace, replay, replayed, replaying } from '../../../harness/races/race-report.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';
import { moves } from '../../../harness/races/scenarios/moves.ts';
import { randomSchedule } from '../../../harness/races/schedule.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';

const quick = process.env['DAYBOOK_QUICK_TESTS'] === '1';

describe.skipIf(replaying)('two workers of one user end as if all had been told in peace', () => {
  const ran = { tried: 0, alike: 0, threw: 0 };
  afterAll(() => console.log(`schedules: ${JSON.stringify(ran)}`));

  test.each(everyRace)('when $name', { timeout: 120_000 }, async (scenario) => {
    const race = openRace(scenario, preparedInMemory(scenario));
    const explored = await explore(race, quick ? { switches: 1, seeds: 5 } : { switches: 2, seeds: 20 });
    ran.tried += explored.tried;
    ran.alike += explored.alike;
    ran.threw += explored.threw;
    mustAllEndInPeace(scenario, explored);
    expect(explored.tried).toBeGreaterThan(10);
  });
});

describe.skipIf(replaying)('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await openWorkshop();
  });
  afterAll(() => shop.place.stop());

  test.each(quick ? moves : everyRace)('when $name', async (scenario) => {
    const inMemory = openRace(scenario, preparedInMemory(scenario));
    const onEngine = openRace(scenario, preparedIn(shop.place.table, scenario));
    for (const seed of [1, 2]) {
      const [imagined, real] = await Promise.all([inMemory(randomSchedule(seed)), onEngine(randomSchedule(seed))]);
      expect(traceOf(real.steps)).toEqual(traceOf(imagined.steps));
      expect(real.found).toEqual(imagined.found);
    }
  });
});

test.runIf(replaying).each(replayed(everyRace))('$name', replay);
