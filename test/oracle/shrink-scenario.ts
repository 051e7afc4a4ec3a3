// Reduces a failing scenario to the smallest one that still fails in the same way.
import type { System } from '../harness/system.ts';
import { runScenarios, type ScenarioResult } from './run-scenario.ts';
import { countRecords, type Scenario, type ScenarioEvent, type WireUpload } from './scenario.ts';

const concurrency = 6;

export async function shrinkScenario(system: System, result: ScenarioResult): Promise<ScenarioResult> {
  let smallest = result;
  for (;;) {
    const smaller = await findSameFailure(system, smallest, smallerScenarios(smallest.scenario));
    if (!smaller) return smallest;
    smallest = smaller;
  }
}

async function findSameFailure(
  system: System,
  original: ScenarioResult,
  scenarios: Scenario[],
): Promise<ScenarioResult | undefined> {
  for (let at = 0; at < scenarios.length; at += concurrency) {
    const verdicts = await runScenarios(system, scenarios.slice(at, at + concurrency));
    const found = verdicts.find((result) => failureKind(result) === failureKind(original));
    if (found) return found;
  }
  return undefined;
}

/** The request and the field that differs, without times. */
function failureKind({ wrong: [first] }: ScenarioResult): string {
  const location = first?.mismatches[0]?.where.replaceAll(/\d[\d:T.-]*/g, '') ?? '';
  return `${first?.read.replace(/[?(].*/, '').replaceAll(/(usr|wrk)_\w+/g, '')} ${location}`;
}

/** The largest reductions first. */
function smallerScenarios(scenario: Scenario): Scenario[] {
  const { events, columnReads: columns } = scenario;
  const halves = [events.slice(Math.ceil(events.length / 2)), events.slice(0, Math.floor(events.length / 2))];
  const fewer = [...halves.filter(({ length }) => length > 0), ...withoutEach(events)];
  const lighter = events.flatMap((event, at) =>
    smallerEvents(event).map((light) => events.map((other, index) => (index === at ? light : other))),
  );
  return [
    ...[...fewer, ...lighter].map((left) => ({ ...scenario, events: left })),
    ...(columns.length > 1 ? columns.map((column) => ({ ...scenario, columnReads: [column] })) : []),
  ];
}

function smallerEvents(event: ScenarioEvent): ScenarioEvent[] {
  if (event.kind !== 'upload') return [];
  const { samples = [], daily = [], sleep = [], workouts = [] } = event.body;
  const bodies: Partial<WireUpload>[] = [
    ...smallerLists(samples).map((left) => ({ samples: left })),
    ...smallerLists(daily).map((left) => ({ daily: left })),
    ...smallerLists(sleep).map((left) => ({ sleep: left })),
    ...smallerLists(workouts).map((left) => ({ workouts: left })),
  ];
  return bodies
    .map((lists) => ({ ...event, body: { ...event.body, ...lists } }))
    .filter(({ body }) => countRecords(body) > 0);
}

function smallerLists<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [];
  const middle = Math.ceil(items.length / 2);
  return items.length < 4
    ? withoutEach(items)
    : [[], items.slice(0, middle), items.slice(middle), ...(items.length < 12 ? withoutEach(items) : [])];
}

const withoutEach = <Item>(items: readonly Item[]): Item[][] =>
  items.map((_item, at) => items.filter((_other, index) => index !== at));
