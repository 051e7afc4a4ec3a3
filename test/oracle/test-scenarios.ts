// Complete random scenarios, run by the service and by a naive model of it, which must agree on
// every number.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { makeScenario } from './make-scenario.ts';
import { runScenarios, type ScenarioResult } from './run-scenario.ts';
import { firstSeed, listSeeds, scenarioCount } from './seeds.ts';
import { shrinkScenario } from './shrink-scenario.ts';

const shouldShrink = process.env['DAYBOOK_SCENARIO_SHRINK'] !== undefined;
const scenariosPerGroup = 10;
/**
 * The service is restarted after this many groups, because thousands of scenarios would fill the
 * memory.
 */
const groupsPerSystem = 20;

export function testScenarios(seeds: readonly number[]): void {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  const groups = Array.from({ length: Math.ceil(seeds.length / scenariosPerGroup) }, (_none, at) =>
    seeds.slice(at * scenariosPerGroup, (at + 1) * scenariosPerGroup),
  );
  test.each(groups.map((group, at) => [group[0], group.at(-1), group, at] as const))(
    'the service agrees with the model on seeds %i to %i',
    async (_first, _last, group, at) => {
      if (at > 0 && at % groupsPerSystem === 0) {
        await system.stop();
        system = await startSystem();
      }
      const wrong = (await runScenarios(system, group.map(makeScenario))).filter((result) => result.wrong.length > 0);
      const [first] = wrong;
      const small = shouldShrink && first ? [await shrinkScenario(system, first)] : [];
      const messages = [...wrong.flatMap(describeFailure), ...small.flatMap(describeScenario)];
      expect(messages.join('\n\n')).toBe('');
    },
    shouldShrink ? 3_600_000 : scenariosPerGroup * 30_000,
  );
}

/**
 * One of the two concurrent halves of the scenarios that the environment requests, by default a
 * hundred.
 */
export function halfOfSeeds(half: 0 | 1): number[] {
  const first = Number(process.env['DAYBOOK_SCENARIO_SEED'] ?? firstSeed);
  const count = Number(process.env['DAYBOOK_SCENARIOS'] ?? scenarioCount);
  const middle = Math.ceil(count / 2);
  return half === 0 ? listSeeds(first, middle) : listSeeds(first + middle, count - middle);
}

/** The first read that differs, and how to reproduce it. */
function describeFailure({ scenario: { seed }, wrong: [first] }: ScenarioResult): string[] {
  if (!first) return [];
  const messages = first.mismatches
    .slice(0, 3)
    .map(
      ({ where, got, expected }) =>
        `  ${where}\n    got ${JSON.stringify(got)}\n    expected ${JSON.stringify(expected)}`,
    );
  const again = `DAYBOOK_SCENARIO_SEED=${seed} DAYBOOK_SCENARIOS=1 npm run test:deep -- test/oracle/scenarios.deep.test.ts`;
  return [
    [
      `scenario ${seed} differs in ${first.read}`,
      ...messages,
      `  to reproduce: ${again}`,
      '  set DAYBOOK_SCENARIO_SHRINK=1 to also print the smallest scenario that fails in the same way',
    ].join('\n'),
  ];
}

/** A small scenario in the API's terms. */
function describeScenario(result: ScenarioResult): string[] {
  const { profile, events } = result.scenario;
  return [
    ...describeFailure(result),
    [`  of ${JSON.stringify(profile)}:`, ...events.map((event) => `  ${JSON.stringify(event)}`)].join('\n'),
  ];
}
