import { describe, expect, test } from 'vitest';
import { computeExampleOutcome } from '../../../../../functions/api/guides/scores/compute-example-outcome.ts';
import { scoreExamples } from '../../../../../functions/api/guides/scores/score-examples.ts';
import { describeScoreState, scoreStateTexts } from '../../../../../functions/api/guides/scores/score-state-text.ts';
import { toneSteps } from '../../../../../functions/api/guides/scores/score-tones.ts';
import { renderScoresPage } from '../../../../../functions/api/guides/scores-page.ts';
import { missingReasons, notApplicableReasons } from '../../../../../shared/catalog/score-states.ts';
import { formulaName, scoreRow, scoreTable } from '../../../../../shared/catalog/score-table.ts';
import * as baseline from '../../../../../shared/scores/baseline.ts';
import { type Anchors, interpolate, loadPoints, logistic } from '../../../../../shared/scores/curves.ts';
import { reachDays } from '../../../../../shared/scores/day-scores.ts';
import { directionOf } from '../../../../../shared/scores/direction.ts';
import { heartRateVariability } from '../../../../../shared/scores/heart-deviations.ts';
import * as food from '../../../../../shared/scores/nutrition-score.ts';
import { heartWeight, recoveryCentre } from '../../../../../shared/scores/recovery-score.ts';
import { isScored } from '../../../../../shared/scores/scoring.ts';
import * as night from '../../../../../shared/scores/sleep-score.ts';
import { minUsualLoad, minWorn } from '../../../../../shared/scores/strain-score.ts';
import { stressCentre } from '../../../../../shared/scores/stress-score.ts';
import { checkScriptedPage } from '../docs-kit/page-checks.ts';

const { html } = renderScoresPage();
const sections = new Map(
  [...html.matchAll(/<section id="(\w+)">([\s\S]*?)<\/section>/g)].map(([, id = '', text = '']) => [id, text]),
);
const toText = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const pageText = toText(html.replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, ''));
const joinNames = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]+)$/, ' and $1');
const factorCell = (id: string, name: string): string =>
  new RegExp(`<tr><td><code>${name}</code></td><td>\\d+</td><td>([\\s\\S]*?)</td></tr>`).exec(
    sections.get(id) ?? '',
  )?.[1] ?? '';

describe('the scores page', () => {
  test('has a section for every score and for nothing else', () => {
    expect([...sections.keys()]).toEqual(scoreTable.map(({ id }) => id));
  });

  test.each(scoreTable)('names every factor of $id with its weight', ({ id, displayName, version, factors }) => {
    const rows = [...(sections.get(id) ?? '').matchAll(/<tr><td><code>(\w+)<\/code><\/td><td>(\d+)<\/td>/g)];
    expect(rows.map(([, name, weight]) => [name, Number(weight)])).toEqual(
      factors.map(({ name, weight }) => [name, weight]),
    );
    expect(toText(sections.get(id) ?? '')).toContain(`${displayName} · ${id} ${formulaName(id, version)}`);
  });

  test.each(scoreTable)(
    'says of $id what it is and is not, what is our choice, and whom it is not intended for',
    ({ id, better }) => {
      const said = toText(sections.get(id) ?? '');
      for (const part of [
        /It is \w/,
        /\bis not (a|an|advice)\b/,
        /Requires \w/,
        /our choice/i,
        /References: \w/,
        /Limits: \w/,
      ])
        expect(said).toMatch(part);
      expect(said).toMatch(id === 'sleep_score' ? /From 1 year of age/ : /Not intended for/);
      expect(said).toContain(
        { higher: 'Higher is better', lower: 'Lower is better', none: 'more is neither better nor worse' }[better],
      );
    },
  );

  test('says that Daybook is not a medical device', () => expect(html).toContain('Daybook is not a medical device.'));

  test('names every reason for a missing value', () => {
    for (const reason of [...missingReasons, ...notApplicableReasons]) expect(html).toContain(`<code>${reason}</code>`);
  });

  test('says which scores change until the day is over, and which direction is better', () => {
    const named = (which: (row: (typeof scoreTable)[number]) => boolean) =>
      joinNames(scoreTable.filter(which).map(({ displayName }) => displayName.toLowerCase()));
    expect(pageText).toContain(
      `the day is not over: ${named((row) => row.provisionalUntilMidnight)} still change with it`,
    );
    expect(pageText).toContain(`higher for ${named((row) => row.better === 'higher')}, lower for `);
    expect(pageText).toContain(`lower for ${named((row) => row.better === 'lower')}, none for `);
    expect(pageText).toContain(`none for ${named((row) => row.better === 'none')}.`);
  });

  test('lists every cited study in its references', () => {
    const references = [...html.matchAll(/References: ([\s\S]*?)<\/p>/g)]
      .map(([, text = '']) => toText(text))
      .join(' ');
    const cited = [...pageText.matchAll(/\(([A-Z]\w+ et al\. \d{4})/g)].map(([, study = '']) => study);
    expect(cited.length).toBeGreaterThan(4);
    for (const study of cited) {
      const isInFull = references.includes(study) || pageText.includes(`${study}, doi:`);
      expect(isInFull, study).toBe(true);
    }
  });

  test('says what an app should show for every status', () => {
    const table = toText(html.slice(html.indexOf('id="showing"'), html.indexOf('id="changelog"')));
    for (const state of ['ready', 'provisional', 'calibrating', 'missing', 'not_applicable'])
      expect(table).toContain(state);
    for (const [reason, text] of Object.entries(scoreStateTexts.reasons)) expect(table).toContain(`${reason}${text}`);
    expect(table).toContain(`begin at ${joinNames(['0', ...toneSteps.map(String)])}`);
  });

  test('makes no medical claims', () => {
    expect(pageText).not.toMatch(/abnormal|\brisk|overtrain|injur|detect|how rested|usual calm|\bcure|\bprevent/i);
    expect(pageText.replaceAll('published advice for healthy adults', '')).not.toMatch(/\bhealthy\b/i);
    for (const phrase of ['your own last four weeks', 'as your device reported', 'published advice for healthy adults'])
      expect(pageText).toContain(phrase);
  });
});

describe('the figures on the page match the formulas', () => {
  const curves: [id: string, factor: string, scale: number, ...Anchors[]][] = [
    ['sleep_score', 'efficiency', 1, night.efficiencyAnchors],
    ['sleep_score', 'restorative', 100, night.restorativeAnchors, night.olderRestorativeAnchors],
    ['sleep_score', 'latency', 1, night.latencyAnchors, night.olderLatencyAnchors],
    ['nutrition_score', 'energy_balance', 1, food.balanceAnchors],
    ['nutrition_score', 'protein', 1, food.proteinAnchors, food.olderProteinAnchors],
    ['nutrition_score', 'fiber', 1, food.fiberAnchors],
    ['nutrition_score', 'saturated_fat', 1, food.saturatedFatAnchors],
    ['nutrition_score', 'sugar', 1, food.sugarAnchors],
    ['nutrition_score', 'sodium', 1, food.sodiumAnchors],
  ];
  test.each(curves)('%s: %s', (id, factor, scale, ...all) => {
    const stated = [...factorCell(id, factor).matchAll(/(\d+) (?:up to|at|from) ([\d.,]+\d|\d)/g)];
    expect(stated.map(([, points, at = '']) => [Number(at.replaceAll(',', '')), Number(points)])).toEqual(
      all.flat().map(([at, points]) => [expect.closeTo(at * scale, 6), points]),
    );
  });

  test.each([
    ['sleep_score', 'efficiency', '85%†', interpolate(night.efficiencyAnchors, 85)],
    ['sleep_score', 'latency', '30 min†', interpolate(night.latencyAnchors, 30)],
    ['nutrition_score', 'protein', '0.83 g/kg†', interpolate(food.proteinAnchors, 0.83)],
    ['nutrition_score', 'protein', '1 g/kg†', interpolate(food.olderProteinAnchors, 1)],
    ['nutrition_score', 'saturated_fat', '10%†', interpolate(food.saturatedFatAnchors, 10)],
    ['nutrition_score', 'sodium', '2000 mg†', interpolate(food.sodiumAnchors, 2000)],
  ] as const)('%s: %s marks %s as published, which is 85 points and positive', (id, factor, limit, points) => {
    expect(factorCell(id, factor)).toContain(limit);
    expect([points, directionOf(id, points)]).toEqual([85, 'positive']);
  });

  test('for what counts as positive near a published limit', () => {
    const foodDirection = (points: number) => directionOf('nutrition_score', points);
    const said = (statement: string) => expect(pageText).toContain(statement);
    said('2010 mg of sodium is still positive, 2050 mg is not');
    expect([2010, 2050].map((milligrams) => foodDirection(interpolate(food.sodiumAnchors, milligrams)))).toEqual([
      'positive',
      'neutral',
    ]);
    said(`${interpolate(food.fiberAnchors, 1)} at the fibre target`);
    said('Fibre is positive from 94% of its target');
    expect([0.93, 0.94].map((share) => foodDirection(interpolate(food.fiberAnchors, share)))).toEqual([
      'neutral',
      'positive',
    ]);
    said('it has 100 points, and beyond them never fewer than 85');
    said('they have 50 points, and are neutral');
    expect(interpolate(food.proteinAnchors, 0.66)).toBeCloseTo(50, 9);
    expect(foodDirection(interpolate(food.proteinAnchors, 0.66))).toBe('neutral');
    for (const need of night.sleepNeeds) {
      const [min, max] = need.acceptable;
      const at = (hours: number) => interpolate(night.buildDurationAnchors(need), hours);
      expect([at(min), at(max), at(24)]).toEqual([50, 100, 85]);
    }
    said('In recovery, strain and stress a usual day is neutral');
    expect(directionOf('recovery_score', logistic(0, recoveryCentre))).toBe('neutral');
    expect(directionOf('strain_score', loadPoints(1))).toBe('neutral');
    expect(directionOf('stress_score', logistic(0, stressCentre))).toBe('neutral');
  });

  test('for the hours of every age', () => {
    const table = /<table class="numeric sleep-hours">([\s\S]*?)<\/table>/.exec(html)?.[1] ?? '';
    const rows = [...table.matchAll(/<tr><th scope="row">(\d+)[^<]*<\/th>(.*?)<\/tr>/g)].map(([, age, cells = '']) => [
      Number(age),
      ...[...cells.matchAll(/<td>([\d.]+)<\/td>/g)].map(([, hours]) => Number(hours)),
    ]);
    const needs = night.sleepNeeds.map((need) => [need.fromAge, ...night.buildDurationAnchors(need).map(([at]) => at)]);
    expect(rows).toEqual(needs.toReversed());
    expect(pageText).toContain(`as for adults of ${night.findSleepNeed(null).fromAge}`);
  });

  test('for baselines, guards and floors', () => {
    const { prior, min } = heartRateVariability.spread;
    for (const statement of [
      `with the ${baseline.baselineDays} days before`,
      `at least ${baseline.minBaselineDays} of the ${baseline.baselineDays} days`,
      `at least ${baseline.minRecentDays} of the last ${baseline.recentDays}`,
      `s = √((${baseline.priorDays} σ₀² + (n − 1) SD²) ÷ (n + ${baseline.priorDays - 1}))`,
      `natural logarithm${prior}${min}`,
      `the ${reachDays} days after it are scored again`,
      `at least ${night.maxNapMinutes} minutes`,
      `the other weighs ${heartWeight}`,
      `fewer than ${minWorn.steps} steps, less than ${minWorn.active_calories} kcal`,
      `at least ${minUsualLoad.active_calories} kcal`,
      `less than ${food.minLogged.kcal} kcal, or of less than ${100 * food.minLogged.share}% of the energy spent`,
    ])
      expect(pageText).toContain(statement);
  });

  test('for a usual day', () => {
    expect(Math.round(logistic(0, recoveryCentre))).toBe(70);
    expect(pageText).toContain('A usual night has 70 points in each heart factor');
    expect(Math.round(logistic(0, stressCentre))).toBe(15);
    expect(pageText).toContain('About 15 is usual');
    expect([loadPoints(1), loadPoints(2)]).toEqual([50, 80]);
    expect(pageText).toContain('50 for the usual amount, 80 for twice as much');
  });

  test.each(scoreTable)(
    'for the changelog, which has the served formula of $id with its weights',
    ({ id, version, factors }) => {
      const formula = formulaName(id, version);
      const row = html
        .slice(html.indexOf('id="changelog"'))
        .split('<tr>')
        .find((each) => each.includes(`<code>${formula}</code></th>`));
      expect(row, formula).toBeDefined();
      const weights = /Weights of ([^.;]+)/.exec(row ?? '')?.[1] ?? '';
      const changed = [...weights.matchAll(/\d+ → (\d+)/g)].map(([, weight]) => Number(weight));
      const own: readonly number[] = factors.map(({ weight }) => weight);
      for (const weight of changed) expect(own).toContain(weight);
    },
  );
});

describe('without its script', () => {
  test.each(scoreTable)(
    'the page shows every case of $id with its result, and the first one factor by factor',
    ({ id }) => {
      const said = toText(sections.get(id) ?? '');
      for (const { title, values } of scoreExamples[id].cases) {
        const outcome = computeExampleOutcome(id, values);
        const result = isScored(outcome)
          ? `${outcome.value}${outcome.confidence}`
          : `none${describeScoreState(outcome)}`;
        expect(said).toContain(`${title}${result}`);
      }
      const first = computeExampleOutcome(id, scoreExamples[id].cases[0].values);
      const factors = isScored(first) ? first.factors : [];
      const parts = [...(sections.get(id) ?? '').matchAll(/<tr data-factor="(\w+)">[\s\S]*?<td>(\d+)<\/td><\/tr>/g)];
      expect(parts.map(([, name, contribution]) => [name, Number(contribution)])).toEqual(
        factors.map(({ name, contribution }) => [name, contribution]),
      );
      expect(Object.keys(scoreExamples[id].units)).toEqual(scoreRow(id).factors.map(({ name }) => name));
      expect(factors).toHaveLength(scoreRow(id).factors.length);
    },
  );
});

checkScriptedPage(renderScoresPage(), '/docs/scores');
