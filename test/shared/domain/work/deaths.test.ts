// Deaths before another comes. `npm run test:deep` also tries those in the middle of its work.
import { describe, expect, test } from 'vitest';
import { exploreDeaths, openRace, preparedInMemory } from '../../../harness/races/interleavings.ts';
import { mustAllEndInPeace } from '../../../harness/races/race-report.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';

describe('a worker that dies after any of its writes, before another comes, does no harm', () => {
  test.each(everyRace)('when $name', async (scenario) => {
    const explored = await exploreDeaths(
      openRace(scenario, preparedInMemory(scenario)),
      'before the other comes',
    );
    mustAllEndInPeace(scenario, explored);
    expect(explored.tried).toBeGreaterThan(3);
  });
});
