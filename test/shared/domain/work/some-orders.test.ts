// Every race in two orders: `interleavings.test.ts` has more of them.
import { expect, test } from 'vitest';
import { openRace, preparedInMemory } from '../../../harness/races/interleavings.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';
import { randomSchedule } from '../../../harness/races/schedule.ts';

test.each(everyRace)('two workers end as if all had been told in peace when $name', async (scenario) => {
  const race = openRace(scenario, preparedInMemory(scenario));
  for (const seed of [1, 2]) {
    const { schedule, found, wanted } = await race(randomSchedule(seed));
    expect(found, schedule).toEqual(wanted);
  }
});
