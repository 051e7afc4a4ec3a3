// A race is run over an engine and over the table in memory in the same orders.
import { expect } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { openRace, preparedIn, preparedInMemory, type Scenario, traceOf } from './interleavings.ts';
import { randomSchedule } from './schedule.ts';

export async function mustRunAlike(table: Table, scenario: Scenario, seeds: readonly number[]): Promise<void> {
  const inMemory = openRace(scenario, preparedInMemory(scenario));
  const onEngine = openRace(scenario, preparedIn(table, scenario));
  for (const seed of seeds) {
    const [imagined, real] = await Promise.all([inMemory(randomSchedule(seed)), onEngine(randomSchedule(seed))]);
    expect(traceOf(real.steps)).toEqual(traceOf(imagined.steps));
    expect(real.found).toEqual(imagined.found);
  }
}
