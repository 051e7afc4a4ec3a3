import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { formulaName, scoreTable, scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { createScorer, type DayScores } from '../../../shared/scores/day-scores.ts';
import { pinnedUsers } from './digest-days.ts';

/**
 * The digest of each formula. A released formula keeps its digest, because the scores stored under
 * its name were made by it.
 */
const digests: Readonly<Record<string, string>> = {
  'sleep@2': '2f8474ea0bdeb02e',
  'recovery@2': '4e92b73f11888d63',
  'strain@2': '270621b0154f579e',
  'nutrition@2': '3442691c6f3e7080',
  'stress@2': 'c3f8d5f094e96974',
  'energy_reserve@2': '13c951e9a816759c',
  'sleep@3': 'fa52d0bdaab7bed4',
  'recovery@3': 'e23d3eecb4b7c669',
  'energy_reserve@3': '1c24c45c7bd093c9',
};

/**
 * The formulas of each generation. A released generation keeps its line, because users see it until
 * they are moved to a later one.
 */
const generations: Readonly<Record<number, string>> = {
  1: 'sleep@2 recovery@2 strain@2 nutrition@2 stress@2 energy_reserve@2',
  2: 'sleep@3 recovery@3 strain@2 nutrition@2 stress@2 energy_reserve@3',
};

const everyDay: readonly DayScores[] = pinnedUsers.flatMap(({ profile, days, dates }) => {
  // On every other day a short sleep is a night.
  const { scoreDay: on } = createScorer(days, profile, (date) => Number(date.slice(-1)) % 2 === 0);
  return dates.map(on);
});

/** Everything that is stored for a score. */
function outcomeOf({ scores, without }: DayScores, id: ScoreId): unknown {
  const score = scores.get(id);
  if (!score) return without.get(id);
  const factors = score.factors.map(({ name, contribution, direction }) => [name, contribution, direction]);
  return [score.value, score.confidence, factors];
}

test.each(scoreTable)('$id changes only with its version', ({ id, version }) => {
  const name = formulaName(id, version);
  const text = everyDay.map((day) => JSON.stringify(outcomeOf(day, id))).join('\n');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  expect(
    digest,
    digests[name] === undefined
      ? `${name} is new: pin '${name}': '${digest}' here, and describe the change on the page.`
      : `${name} gives different scores from those stored under its name. Raise the version of ${id} in shared/catalog/score-table.ts, ` +
          `so that every user's history is scored again, and pin '${formulaName(id, version + 1)}': '${digest}' here.`,
  ).toBe(digests[name]);
});

test('every formula is tried on days with a value and on days without one', () => {
  for (const { id, factors } of scoreTable) {
    const values = everyDay.flatMap(({ scores }) => scores.get(id) ?? []);
    expect(values.length).toBeGreaterThan(200);
    expect(everyDay.length - values.length).toBeGreaterThan(200);
    expect(new Set(values.flatMap((score) => score.factors.map(({ name }) => name))).size).toBe(factors.length);
    expect(new Set(values.map(({ confidence }) => confidence)).size).toBeGreaterThan(1);
  }
});

test('a generation is one set of formulas', () => {
  const formulas = scoreTable.map(({ id, version }) => formulaName(id, version)).join(' ');
  expect(
    formulas,
    `generation ${scoringGeneration} has different formulas: raise scoringGeneration in shared/catalog/score-table.ts, and pin the next line here.`,
  ).toBe(generations[scoringGeneration]);
  expect(Math.max(...Object.keys(generations).map(Number))).toBe(scoringGeneration);
  expect(new Set(Object.values(generations)).size).toBe(Object.keys(generations).length);
});
