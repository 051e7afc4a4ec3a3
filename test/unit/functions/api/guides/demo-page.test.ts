import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseTicks, findDayRuns } from '../../../../../functions/api/guides/browser/demo/chart-scale.ts';
import { demoMetrics, variabilityMetrics } from '../../../../../functions/api/guides/browser/demo/demo-metrics.ts';
import { personaNames } from '../../../../../functions/api/guides/browser/demo/personas.ts';
import { renderDemoPage } from '../../../../../functions/api/guides/demo-page.ts';
import { scoreStateTexts } from '../../../../../functions/api/guides/scores/score-state-text.ts';
import { providerIds } from '../../../../../shared/catalog/provider.ts';
import { missingReasons, notApplicableReasons } from '../../../../../shared/catalog/score-states.ts';
import { scoreTable } from '../../../../../shared/catalog/score-table.ts';
import { getProviderLabel } from '../../../../../shared/providers/provider-label.ts';
import { heartRateVariability } from '../../../../../shared/scores/heart-deviations.ts';
import { measuredPersonas } from '../../../../harness/measured-personas.ts';
import { checkScriptedPage, contentOf } from '../docs-kit/page-checks.ts';

const { html } = renderDemoPage();

checkScriptedPage(renderDemoPage(), '/docs/demo');

describe('the demo', () => {
  const script = contentOf(html, 'script');

  test('offers every sandbox persona that has data', () => {
    expect(Object.keys(personaNames)).toEqual(measuredPersonas);
    for (const name of Object.values(personaNames)) expect(script).toContain(name);
  });

  test('knows the name of every provider', () => {
    const attribute = /data-provider-names='([^']+)'/.exec(html)?.[1] ?? '';
    const names = JSON.parse(attribute.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll('&lt;', '<'));
    expect(names).toEqual(Object.fromEntries(providerIds.map((id) => [id, getProviderLabel(id)])));
  });

  test('shows every default score by its name, with the direction that is better', () => {
    for (const { displayName } of scoreTable.filter(({ inForm2 }) => inForm2)) expect(script).toContain(displayName);
    for (const reason of [...missingReasons, ...notApplicableReasons])
      expect(script).toContain(scoreStateTexts.reasons[reason]);
    for (const text of ['Higher is better', 'Lower is better', 'Neither higher nor lower is better'])
      expect(script).toContain(text);
  });

  test('charts the variability metric that scores prefer, and requests it', () => {
    expect(variabilityMetrics[0]).toBe(heartRateVariability.metrics[0]);
    for (const metric of variabilityMetrics) expect(demoMetrics).toContain(metric);
  });

  test('never colors by the direction of a factor', () => expect(script).not.toMatch(/\bdirection\b/));
});

describe('a chart', () => {
  test('separates days without a value: a day is in a run exactly when its flag is set', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (flags) => {
        const runs = findDayRuns(flags);
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
        const ticks = chooseTicks(values, { startsAtZero });
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
    expect(chooseTicks([5400, 16_400, null])).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  });
});
