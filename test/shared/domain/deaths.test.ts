import { describe, expect, test } from 'vitest';
import type { Death } from '../../harness/deaths.ts';
import { exploreDeaths, openRace, preparedInMemory, type Scenario } from '../../harness/interleavings.ts';
import { mustAllEndInPeace, replaying } from '../../harness/race-report.ts';
import { corrections } from '../../harness/races/corrections.ts';
import { devices } from '../../harness/races/devices.ts';
import { moves } from '../../harness/races/moves.ts';
import { settings } from '../../harness/races/settings.ts';
import { uploads } from '../../harness/races/uploads.ts';

const quick = process.env['DAYBOOK_QUICK_TESTS'] === '1';

async function doesNoHarm(scenario: Scenario, death: Death): Promise<void> {
  const explored = await exploreDeaths(openRace(scenario, preparedInMemory(scenario)), death);
  mustAllEndInPeace(scenario, explored);
  expect(explored.tried).toBeGreaterThan(3);
}

describe.skipIf(replaying)('a worker that dies after any of its writes does no harm', () => {
  test.each([...corrections, ...moves, ...uploads, ...devices, ...settings])(
    'before another comes, when $name',
    { timeout: 120_000 },
    (scenario) => doesNoHarm(scenario, 'before the other comes'),
  );

  test.skipIf(quick).each([...corrections, ...moves, ...uploads, ...devices, ...settings])(
    'while another is at work, when $name',
    { timeout: 120_000 },
    (scenario) => doesNoHarm(scenario, 'while the other is at work'),
  );

  test.skipIf(quick).each([...corrections, ...uploads])(
    'overtaken by another, when $name',
    { timeout: 120_000 },
    (scenario) => doesNoHarm(scenario, 'overtaken by the other'),
  );
});
