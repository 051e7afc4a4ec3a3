// What a failed race prints: how to run it alone, and the calls that led there.
import { expect } from 'vitest';
import { type Ended, type Explored, openRace, preparedInMemory, type Scenario, traceOf } from './interleavings.ts';
import { scheduleIn } from './schedule.ts';

/** The name of a race and its schedule, as a failure printed them. */
const setting = 'DAYBOOK_INTERLEAVING';
const [name, schedule] = process.env[setting]?.split(': ') ?? [];

export const replaying = name !== undefined;
export const replayed = (scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.filter((scenario) => scenario.name === name);

export async function replay(scenario: Scenario): Promise<void> {
  const ended = await openRace(scenario, preparedInMemory(scenario))(scheduleIn(schedule ?? ''));
  console.log(traceOf(ended.steps).join('\n'));
  mustEndInPeace(scenario, ended, '');
}

export function mustAllEndInPeace(scenario: Scenario, { failures }: Explored): void {
  const [simplest] = failures;
  if (simplest) mustEndInPeace(scenario, simplest, `${failures.length} schedules fail; the simplest:`);
}

function mustEndInPeace(scenario: Scenario, ended: Ended, heading: string): void {
  const alone = `${setting}='${scenario.name}: ${ended.schedule}'`;
  const told = [heading, alone, ...traceOf(ended.steps), ...ended.thrown.map(String)];
  expect(ended.found, told.join('\n')).toEqual(ended.wanted);
}
