// Scenarios whose last UTC day is today and ends while they run: the phone's samples of that day
// are first stored in slots and afterwards in rows.
import { expect, test } from 'vitest';
import { readPartition } from '../harness/raced-user.ts';
import { type System, startSystem } from '../harness/system.ts';
import { makeScenario } from './make-scenario.ts';
import { runScenarios } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { selectedSeeds } from './selected-seeds.ts';

const dayMs = 86_400_000;
/** Each scenario takes longer than this. */
const untilMidnightMs = 25_000;

const sampleStarts = ({ events }: Scenario): number[] =>
  events.flatMap((event) =>
    event.kind === 'upload' ? (event.body.samples ?? []).map(({ start }) => Date.parse(start)) : [],
  );

/** Shortly before the end of the last sample's day. */
const startInstant = (scenario: Scenario): number => {
  const last = Math.max(...sampleStarts(scenario));
  return Math.floor(last / dayMs) * dayMs + dayMs - untilMidnightMs;
};

const scenariosByStart = Map.groupBy(
  selectedSeeds.map(makeScenario).filter((scenario) => sampleStarts(scenario).length > 0),
  startInstant,
);

test('the service agrees with the model on scenarios around the end of a UTC day', async () => {
  let slots = 0;
  for (const [startMs, own] of scenariosByStart) {
    const system = await startSystem({ startMs });
    const users: string[] = [];
    const user: System['user'] = async (...args) => {
      const id = await system.user(...args);
      users.push(id);
      return id;
    };
    try {
      const wrong = (await runScenarios({ ...system, user }, own)).filter((verdict) => verdict.wrong.length > 0);
      expect(wrong.map(({ scenario: { seed }, wrong: [first] }) => ({ seed, first }))).toEqual([]);
      for (const id of users) slots += await countSlots(system, id);
    } finally {
      await system.stop();
    }
  }
  expect(slots).toBeGreaterThan(scenariosByStart.size);
}, 300_000);

async function countSlots({ host }: System, user: string): Promise<number> {
  const rows = await readPartition(host.table, user);
  return rows.filter(({ sk }) => String(sk).startsWith('A#')).length;
}
