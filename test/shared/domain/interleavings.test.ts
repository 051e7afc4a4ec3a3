import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, explore, openRace, preparedIn, preparedInMemory, traceOf } from '../../harness/interleavings.ts';
import { scenarios } from '../../harness/races.ts';
import { randomSchedule, scheduleIn } from '../../harness/schedule.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';

const quick = process.env['DAYBOOK_QUICK_TESTS'] === '1';
/** What a failure printed: the name of a race and its schedule. */
const [replayed, replayedSchedule] = process.env['DAYBOOK_INTERLEAVING']?.split(': ') ?? [];

const ran = { tried: 0, alike: 0, random: 0, threw: 0 };

describe.skipIf(replayed)('two workers of one user end as if all had been told in peace', () => {
  afterAll(() => console.log(`interleavings: ${JSON.stringify(ran)}`));

  test.each(scenarios)('when $name', { timeout: 120_000 }, async (scenario) => {
    const { failures, ...covered } = await explore(openRace(scenario, preparedInMemory(scenario)), {
      switches: quick ? 1 : 2,
      seeds: quick ? 5 : 20,
    });
    for (const kind of ['tried', 'alike', 'random', 'threw'] as const) ran[kind] += covered[kind];
    const [simplest] = failures;
    if (simplest) mustEndInPeace(scenario.name, simplest, `${failures.length} schedules fail; the simplest:`);
    expect(covered.tried).toBeGreaterThan(10);
  });
});

describe.skipIf(replayed)('the engine makes the same calls with the same outcomes as the table in memory', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await openWorkshop();
  });
  afterAll(() => shop.place.stop());

  test.each(scenarios)('when $name', async (scenario) => {
    const inMemory = openRace(scenario, preparedInMemory(scenario));
    const onEngine = openRace(scenario, preparedIn(shop.place.table, scenario));
    for (let seed = 1; seed <= (quick ? 1 : 2); seed++) {
      const [imagined, real] = await Promise.all([inMemory(randomSchedule(seed)), onEngine(randomSchedule(seed))]);
      expect(traceOf(real.steps)).toEqual(traceOf(imagined.steps));
      expect(real.found).toEqual(imagined.found);
    }
  });
});

test.runIf(replayed).each(scenarios.filter(({ name }) => name === replayed))('$name', async (scenario) => {
  const ended = await openRace(scenario, preparedInMemory(scenario))(scheduleIn(replayedSchedule ?? ''));
  console.log(traceOf(ended.steps).join('\n'));
  mustEndInPeace(scenario.name, ended);
});

function mustEndInPeace(name: string, { schedule, steps, thrown, found, wanted }: Ended, heading = ''): void {
  const replay = `DAYBOOK_INTERLEAVING='${name}: ${schedule}'`;
  expect(found, [heading, replay, ...traceOf(steps), ...thrown.map(String)].join('\n')).toEqual(wanted);
}
