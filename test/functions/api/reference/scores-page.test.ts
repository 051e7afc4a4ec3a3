import { describe, expect, test } from 'vitest';
import { scoresPage } from '../../../../functions/api/reference/scores-page.ts';
import { baselineDays, leastBaselineDays } from '../../../../shared/domain/scores/baseline.ts';
import { reachDays } from '../../../../shared/domain/scores/day-scores.ts';
import { scoreTable } from '../../../../shared/model/score-table.ts';
import { checkQuietPage } from './page-checks.ts';

const { html } = scoresPage();
const sections = new Map(
  [...html.matchAll(/<section id="(\w+)">([\s\S]*?)<\/section>/g)].map(([, id = '', text = '']) => [id, text]),
);

describe('the page on scores', () => {
  test('has a section for every score, and for nothing else', () => {
    expect([...sections.keys()]).toEqual(scoreTable.map(({ id }) => id));
  });

  test.each(scoreTable)('names every factor of $id with its weight', ({ id, displayName, factors }) => {
    const rows = [...(sections.get(id) ?? '').matchAll(/<tr><td><code>(\w+)<\/code><\/td><td>(\d+)<\/td>/g)];
    expect(rows.map(([, name, weight]) => [name, Number(weight)])).toEqual(
      factors.map(({ name, weight }) => [name, weight]),
    );
    expect(sections.get(id)).toContain(`<h2>${displayName} · <code>${id}</code></h2>`);
    expect(sections.get(id)).toMatch(/References: \w/);
    expect(sections.get(id)).toMatch(/Limits: \w/);
  });

  test('states how far baselines and changes reach', () => {
    const words = html.replaceAll(/\s+/g, ' ');
    expect(words).toContain(`over the ${baselineDays} days before`);
    expect(words).toContain(`at least ${leastBaselineDays} of them`);
    expect(words).toContain(`the ${reachDays} days after it are scored again`);
  });

  test('says that it is not a medical device', () => expect(html).toContain('Daybook is not a medical device.'));
});

checkQuietPage(scoresPage(), '/docs/scores');
