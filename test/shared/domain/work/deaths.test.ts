import { describe, expect, test } from 'vitest';
import type { Death } from '../../../harness/races/deaths.ts';
import { exploreDeaths, openRace, preparedInMemory, type Scenario } from '../../../harness/races/interleavings.ts';
import { mustAllEndInPeace, replaying } from '../../../harness/races/race-report.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';

/** A rebuild has a lease for longer than it lives, which is all that keeps this one out. */
const onlyAfterLeases = 'a new device comes while the settings change';
const quick = process.env['DAYBOOK_QUICK_TESTS'] === '1';

async function doesNoHarm(scenario: Scenario, death: Death): Promise<void> {
  const explored = await exploreDeaths(openRace(scenario, preparedInMemory(scenario)), death);
  mustAllEndInPeace(scenario, explored);
  expect(explored.tried).toBeGreaterThan(3);
}

describe.skipIf(replaying)('a worker that dies after any of its writes does no harm', () => {
  test.each(everyRace)('before another comes, when $name', { timeout: 120_000 }, (scenario) =>
    doesNoHarm(scenario, 'before the other comes'),
  );

  test.skipIf(quick).each(everyRace)('while another is at work, when $name', { timeout: 120_000 }, (scenario) =>
    doesNoHarm(scenario, 'while the other is at work'),
  );

  test.skipIf(quick).each(everyRace.filter(({ name }) => name !== onlyAfterLeases))(
    'overtaken by another, when $name',
    { timeout: 120_000 },
    (scenario) => doesNoHarm(scenario, 'overtaken by the other'),
  );
});
