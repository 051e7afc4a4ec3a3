// Every race in one order, and two of them with one switch at every moment and with deaths.
// `interleavings.test.ts` has more of them.
import { expect, test } from 'vitest';
import { explore, exploreDeaths, openRace, preparedInMemory } from '../../../harness/races/interleavings.ts';
import { mustAllEndInPeace } from '../../../harness/races/race-report.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';
import { randomSchedule } from '../../../harness/races/schedule.ts';

test.each(everyRace)('two workers end as if all had been told in peace when $name', async (scenario) => {
  const { schedule, found, wanted } = await openRace(scenario, preparedInMemory(scenario))(randomSchedule(1));
  expect(found, schedule).toEqual(wanted);
});

test.each(['a sample alone on its day moves', 'the user moves while samples are worked in'])(
  'at whichever call one gives way to the other, or dies, when %s',
  async (name) => {
    const scenario = everyRace.find((each) => each.name === name);
    if (!scenario) throw new Error(`there is no race in which ${name}`);
    const race = openRace(scenario, preparedInMemory(scenario));
    const explored = await explore(race, { switches: 1, seeds: 0 });
    mustAllEndInPeace(scenario, explored);
    const deaths = await exploreDeaths(race, 'before the other comes');
    mustAllEndInPeace(scenario, deaths);
    expect(explored.tried + deaths.tried).toBeGreaterThan(20);
  },
);
