// What takes minutes: every two switches of a race, and every death in it. The files that call
// these have a third of the races each, so that workers can share them.
import { afterAll, describe, expect, test } from 'vitest';
import type { Death } from './deaths.ts';
import { explore, exploreDeaths, openRace, preparedInMemory, type Scenario } from './interleavings.ts';
import { mustAllEndInPeace } from './race-report.ts';

const timeout = 120_000;

export function everyTwoSwitchesEndInPeace(races: readonly Scenario[]): void {
  describe('two workers of one user end as if all had been told in peace', () => {
    const ran = { tried: 0, alike: 0, threw: 0 };
    afterAll(() => console.log(`schedules: ${JSON.stringify(ran)}`));

    test.each(races)('when $name', { timeout }, async (scenario) => {
      const explored = await explore(openRace(scenario, preparedInMemory(scenario)), { switches: 2, seeds: 20 });
      ran.tried += explored.tried;
      ran.alike += explored.alike;
      ran.threw += explored.threw;
      mustAllEndInPeace(scenario, explored);
      expect(explored.tried).toBeGreaterThan(50);
    });
  });
}

/** A rebuild has a lease for longer than it lives, which is all that keeps this one out. */
const onlyAfterLeases = 'a new device comes while the settings change';

export function everyDeathDoesNoHarm(races: readonly Scenario[]): void {
  describe('a worker that dies after any of its writes does no harm', () => {
    const doesNoHarm = (death: Death) => async (scenario: Scenario) => {
      const explored = await exploreDeaths(openRace(scenario, preparedInMemory(scenario)), death);
      mustAllEndInPeace(scenario, explored);
      expect(explored.tried).toBeGreaterThan(3);
    };
    test.each(races)('before another comes, when $name', { timeout }, doesNoHarm('before the other comes'));
    test.each(races)('while another is at work, when $name', { timeout }, doesNoHarm('while the other is at work'));
    test.each(races.filter(({ name }) => name !== onlyAfterLeases))(
      'overtaken by another, when $name',
      { timeout },
      doesNoHarm('overtaken by the other'),
    );
  });
}
