// Selects ten of the hundred scenarios of the deep tests that together cover every case, and writes
// their seeds to selected-seeds.ts. Run it after any change to what a seed becomes:
// node_modules/.bin/node test/oracle/select-seeds.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { allCases, findCoveredCases } from './coverage.ts';
import { makeScenario } from './make-scenario.ts';
import { listSeeds } from './seeds.ts';

const selectionSize = 10;
const maxLineLength = 120;

type Coverage = readonly [seed: number, cases: ReadonlySet<string>];

/**
 * Adds the scenario that covers most of what is missing, until the selection is full. Among equals
 * it is the one that covers most cases.
 */
function selectSeeds(scenarios: readonly Coverage[]): { seeds: number[]; missing: readonly string[] } {
  const left = new Map(scenarios);
  const seeds: number[] = [];
  let missing = allCases;
  while (seeds.length < selectionSize) {
    const gain = ([, cases]: Coverage): number => missing.filter((name) => cases.has(name)).length;
    const [best] = [...left].toSorted((a, b) => gain(b) - gain(a) || b[1].size - a[1].size);
    if (!best) throw new Error(`there are fewer than ${selectionSize} scenarios`);
    const [seed, cases] = best;
    seeds.push(seed);
    left.delete(seed);
    missing = missing.filter((name) => !cases.has(name));
  }
  return { seeds: seeds.toSorted((a, b) => a - b), missing };
}

/** With a `_` between thousands, as biome wants it. */
const formatSeed = (seed: number): string => String(seed).replace(/\B(?=(\d{3})+$)/g, '_');

/** As many seeds on a line as fit, as biome formats lists of numbers. */
function formatSelection(seeds: readonly number[]): string {
  const lines = [''];
  for (const seed of seeds.map((each) => `${formatSeed(each)},`)) {
    const line = lines.at(-1) ? `${lines.at(-1)} ${seed}` : `  ${seed}`;
    if (line.length <= maxLineLength) lines[lines.length - 1] = line;
    else lines.push(`  ${seed}`);
  }
  return `// Ten of the hundred scenarios of the deep tests that together cover every edge case, method and
// event. select-seeds.ts writes this file.
export const selectedSeeds = [
${lines.join('\n')}
];
`;
}

const scenarios = listSeeds().map((seed): Coverage => [seed, findCoveredCases(makeScenario(seed))]);
const { seeds, missing } = selectSeeds(scenarios);
if (missing.length > 0) {
  const list = (cases: readonly string[]): string => cases.map((name) => `"${name}"`).join(', ');
  const uncovered = missing.filter((name) => scenarios.every(([, cases]) => !cases.has(name)));
  console.error(`Ten scenarios were not enough to cover every case. These are missing: ${list(missing)}.`);
  if (uncovered.length > 0)
    console.error(`Of these, no scenario of the ${scenarios.length} has ${list(uncovered)}: make it more likely.`);
  console.error('selected-seeds.ts was not changed.');
  process.exitCode = 1;
} else {
  writeFileSync(path.join(import.meta.dirname, 'selected-seeds.ts'), formatSelection(seeds));
  console.log(`Wrote ${seeds.length} seeds, which cover all ${allCases.length} cases, to selected-seeds.ts.`);
}
