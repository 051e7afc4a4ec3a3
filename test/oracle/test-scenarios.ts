// Whole random lives, lived by the service and by a naive model of it, which must agree on every
// number.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { makeScenario } from './make-scenario.ts';
import { runScenarios, type ScenarioResult } from './run-scenario.ts';
import { shrinkScenario } from './shrink-scenario.ts';

const shouldShrink = process.env['DAYBOOK_LIFE_SHRINK'] !== undefined;
const scenariosPerGroup = 10;
/** After so many groups the service is started anew: thousands of lives would fill the memory. */
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
    'the lives of seeds %i to %i are told as the rules have it',
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
 * One of two halves that run side by side of the lives that the environment asks for, a hundred
 * usually.
 */
export function halfOfSeeds(half: 0 | 1): number[] {
  const first = Number(process.env['DAYBOOK_LIFE_SEED'] ?? firstSeed);
  const count = Number(process.env['DAYBOOK_LIVES'] ?? 100);
  const middle = Math.ceil(count / 2);
  return half === 0 ? seedsFrom(first, middle) : seedsFrom(first + middle, count - middle);
}

const firstSeed = 20_250_330;
const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_none, at) => first + at);

/** The first read that differs, and how to see it again. */
function describeFailure({ life: { seed }, wrong: [first] }: ScenarioResult): string[] {
  if (!first) return [];
  const messages = first.mismatches
    .slice(0, 3)
    .map(
      ({ where, got, expected }) =>
        `  ${where}\n    got ${JSON.stringify(got)}\n    expected ${JSON.stringify(expected)}`,
    );
  const again = `DAYBOOK_LIFE_SEED=${seed} DAYBOOK_LIVES=1 npm run test:deep -- test/oracle/scenarios.deep.test.ts`;
  return [
    [
      `life ${seed} differs in ${first.read}`,
      ...messages,
      `  again: ${again}`,
      '  with DAYBOOK_LIFE_SHRINK=1 the smallest life that still differs so is told too',
    ].join('\n'),
  ];
}

/** A small life in the words of the API. */
function describeScenario(result: ScenarioResult): string[] {
  const { profile, events } = result.life;
  return [
    ...describeFailure(result),
    [`  of ${JSON.stringify(profile)}:`, ...events.map((event) => `  ${JSON.stringify(event)}`)].join('\n'),
  ];
}
