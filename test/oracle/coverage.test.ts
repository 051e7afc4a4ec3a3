import { expect, test } from 'vitest';
import { allCases, findCoveredCases, findEventCases } from './coverage.ts';
import { makeScenario } from './make-scenario.ts';
import { selectedSeeds } from './selected-seeds.ts';

test('the ten selected scenarios cover every edge case, method and event, and detect every wrong day rule', () => {
  const all = new Set(selectedSeeds.flatMap((seed) => [...findCoveredCases(makeScenario(seed))]));
  expect(
    [selectedSeeds.length, allCases.filter((what) => !all.has(what))],
    'to select other scenarios, run node_modules/.bin/node test/oracle/select-seeds.ts',
  ).toEqual([10, []]);
  // The cases found must all be in the list.
  expect([...all].filter((what) => !allCases.includes(what))).toEqual([]);
});

test('more than a third of the scenarios change their time zone, and more than a third have records on another day by their own offset', () => {
  const casesOfScenarios = Array.from({ length: 60 }, (_none, at) => findEventCases(makeScenario(3_000_000 + at)));
  const count = (...names: string[]): number =>
    casesOfScenarios.filter((each) => names.some((what) => each.has(what))).length;
  const moved = count('a zone taken away', 'a zone named by a later upload', 'a move to another zone');
  const travelled = count(...allCases.filter((what) => what.includes('another day by its offset')));
  expect([moved > casesOfScenarios.length / 3, travelled > casesOfScenarios.length / 3]).toEqual([true, true]);
  expect([count('recorded from the start') > 10, count('a switch to recorded', 'a switch to profile') > 8]).toEqual([
    true,
    true,
  ]);
});
