import { expect, test } from 'vitest';
import { everyCallerDeath, everyWriterDeath, everyZombie } from '../../../harness/races/deaths.ts';
import { explore, openRace, preparedInMemory } from '../../../harness/races/race.ts';
import { everyRace } from '../../../harness/races/scenarios/every-race.ts';
import { everyTwoSwitches } from '../../../harness/races/two-switches.ts';

const mode = process.env['M'] ?? '';
test.each(everyRace)('$name', { timeout: 300_000 }, async (scenario) => {
  const race = openRace(scenario, preparedInMemory(scenario));
  const hasCall = scenario.call !== undefined;
  const kinds = {
    orders: hasCall ? [(a: any) => everyTwoSwitches('writer', a, 1), (a: any) => everyTwoSwitches('other', a, 1)] : [],
    orders2: hasCall ? [(a: any) => everyTwoSwitches('writer', a, 2), (a: any) => everyTwoSwitches('other', a, 2)] : [],
    deaths: [(a: any) => everyWriterDeath(a, hasCall, 'before and after')],
    deaths2: [(a: any) => everyWriterDeath(a, hasCall, 'every')],
    callers: scenario.uncalled ? [everyCallerDeath] : [],
    zombies: [(a: any) => everyZombie(a, hasCall, false)],
    soon: [(a: any) => everyZombie(a, hasCall, true)],
  } as any;
  const t = Date.now();
  const explored = await explore(race, ...kinds[mode]);
  console.log(mode, scenario.name, explored.tried, explored.alike, explored.failures.length, Date.now() - t);
  const [f] = explored.failures;
  if (f) expect(f.found, `${f.schedule}\n${f.steps.map(({ actor, call, outcome }) => `${actor} ${call.name} ${outcome}`).join('\n')}\n${f.thrown}`).toEqual(f.wanted[0]);
});
