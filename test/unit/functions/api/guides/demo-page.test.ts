import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderDemoPage } from '../../../../../functions/api/guides/demo-page.ts';
import { toneSteps } from '../../../../../functions/api/guides/score-tones.ts';
import { providerIds } from '../../../../../shared/catalog/provider.ts';
import { personaIds } from '../../../../../shared/catalog/sandbox.ts';
import { missingReasons, notApplicableReasons } from '../../../../../shared/catalog/score-states.ts';
import { betterDirections, scoreTable } from '../../../../../shared/catalog/score-table.ts';
import { getProviderLabel } from '../../../../../shared/providers/provider-label.ts';
import { heartRateVariability } from '../../../../../shared/scores/heart-deviations.ts';
import { checkScriptedPage, contentOf } from '../docs-kit/page-checks.ts';

const assets = new URL('../../../../../functions/api/guides/assets/', import.meta.url);
const { html } = renderDemoPage();

checkScriptedPage(renderDemoPage(), '/docs/demo');

describe('the demo', () => {
  const script = contentOf(html, 'script');

  test('offers every sandbox persona', () => {
    for (const persona of personaIds) expect(script).toMatch(new RegExp(`^  ${persona}: '`, 'm'));
  });

  test('shows every default score by its name, with the direction that is better', () => {
    const dataTexts = /data-texts='([^']+)'/.exec(html)?.[1]?.replaceAll('&#39;', "'").replaceAll('&amp;', '&') ?? '';
    const { scores, stateTexts, toneSteps: steps, providerNames } = JSON.parse(dataTexts.replaceAll('&lt;', '<'));
    expect(providerNames).toEqual(Object.fromEntries(providerIds.map((id) => [id, getProviderLabel(id)])));
    expect(scores).toEqual(
      Object.fromEntries(
        scoreTable.filter(({ inForm2 }) => inForm2).map(({ id, displayName: name, better }) => [id, { name, better }]),
      ),
    );
    expect(steps).toEqual(toneSteps);
    expect(Object.keys(stateTexts.reasons).toSorted()).toEqual([...missingReasons, ...notApplicableReasons].toSorted());
    for (const better of betterDirections) expect(script).toMatch(new RegExp(`\\b${better}: '`));
  });

  test('charts the variability metric that scores prefer, and requests it', () => {
    const [first] = heartRateVariability.metrics;
    expect(script).toContain(`const preferredMetric = '${first}';`);
    expect(script).toMatch(new RegExp(`resting_heart_rate,${first},heart_rate_variability'`));
  });

  test('never colors by the direction of a factor', () => expect(script).not.toMatch(/\bdirection\b/));
});

const chart: {
  findRuns(flags: boolean[]): { from: number; to: number }[];
  chooseTicks(values: (number | null)[], options?: { startsAtZero?: boolean; minStep?: number }): number[];
} = await import(new URL('chart.js', assets).href);

describe('a chart', () => {
  test('separates days without a value: a day is in a run exactly when its flag is set', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (flags) => {
        const runs = chart.findRuns(flags);
        const covered = flags.map((_, day) => runs.filter(({ from, to }) => from <= day && day < to).length);
        expect(covered).toEqual(flags.map(Number));
        for (const [index, { to }] of runs.slice(0, -1).entries()) expect(runs[index + 1]?.from).toBeGreaterThan(to);
      }),
    );
  });

  test('has an axis of evenly spaced ticks that covers every value', () => {
    const value = fc.option(fc.double({ min: 0, max: 100_000, noNaN: true }));
    fc.assert(
      fc.property(fc.array(value), fc.boolean(), (values, startsAtZero) => {
        const ticks = chart.chooseTicks(values, { startsAtZero });
        const [first = Number.NaN, second = Number.NaN, ...more] = ticks;
        const last = more.at(-1) ?? second;
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
        for (const each of values) {
          if (each === null) continue;
          expect(each).toBeGreaterThanOrEqual(first);
          expect(each).toBeLessThanOrEqual(last);
        }
        for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(first + index * (second - first), 6);
      }),
    );
  });

  test('starts at zero, so that a bar twice as high is twice as much', () => {
    expect(chart.chooseTicks([5400, 16_400, null])).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  });
});
