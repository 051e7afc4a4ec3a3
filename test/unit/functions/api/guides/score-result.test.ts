import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ElementTree } from '../../../../../functions/api/docs-kit/element-tree.ts';
import { renderTree } from '../../../../../functions/api/docs-kit/render-tree.ts';
import {
  type DemoScoreDay,
  describeMissingScore,
} from '../../../../../functions/api/guides/browser/demo/missing-score.ts';
import { renderDemoPage } from '../../../../../functions/api/guides/demo-page.ts';
import { computeExampleOutcome } from '../../../../../functions/api/guides/scores/compute-example-outcome.ts';
import { scoreExamples } from '../../../../../functions/api/guides/scores/score-examples.ts';
import { drawConfidence, drawToneScale } from '../../../../../functions/api/guides/scores/score-pictures.ts';
import { drawResult } from '../../../../../functions/api/guides/scores/score-result.ts';
import { scoreStateTexts } from '../../../../../functions/api/guides/scores/score-state-text.ts';
import { selectTone } from '../../../../../functions/api/guides/scores/score-tones.ts';
import { renderScoresPage } from '../../../../../functions/api/guides/scores-page.ts';
import { scoreIds } from '../../../../../shared/catalog/score-ids.ts';
import { confidences } from '../../../../../shared/catalog/score-states.ts';
import { betterDirections } from '../../../../../shared/catalog/score-table.ts';
import { documentStub } from '../docs-kit/document-stub.ts';
import { contentOf } from '../docs-kit/page-checks.ts';

/** It builds nodes, so it has the types of browsers. */
const domModule = new URL('../../../../../functions/api/docs-kit/browser/dom.ts', import.meta.url).href;
const { createNode }: { createNode(tree: ElementTree): object } = await import(domModule);

/** As the page's script draws it. */
const drawNode = (tree: ElementTree): string => String(createNode(tree));

const allValues = Array.from({ length: 101 }, (_, value) => value);

describe('the script draws the same as the server-rendered page', () => {
  beforeAll(() => vi.stubGlobal('document', documentStub));
  afterAll(() => vi.unstubAllGlobals());

  const cases = scoreIds.flatMap((id) => scoreExamples[id].cases.map(({ title, values }) => ({ id, title, values })));
  test.each(cases)('for $id: $title', ({ id, values }) => {
    const outcome = computeExampleOutcome(id, values);
    expect(drawNode(drawResult(id, outcome))).toBe(renderTree(drawResult(id, outcome)).html);
  });

  test('for every confidence', () => {
    for (const level of confidences)
      expect(drawNode(drawConfidence(level))).toBe(renderTree(drawConfidence(level)).html);
  });

  test('for every tone and its scale', () => {
    for (const better of betterDirections) {
      for (const value of allValues) {
        expect(drawNode(drawToneScale(better, value))).toBe(renderTree(drawToneScale(better, value)).html);
      }
    }
  });
});

describe('the color of a value', () => {
  const tones = (better: (typeof betterDirections)[number]) => allValues.map((value) => selectTone(better, value));
  const steps = [1, 2, 3, 4, 5].map((step) => `tone-${step}`);

  test('rises with the value if higher is better, mirrors that if lower is better, and has one hue if neither is', () => {
    expect(tones('higher')).toEqual(tones('higher').toSorted());
    expect([...new Set(tones('higher'))]).toEqual(steps);
    expect(tones('lower')).toEqual(tones('higher').toReversed());
    expect(new Set(tones('none'))).toEqual(new Set(['tone-none']));
  });

  test('changes where stress goes from usual to raised and from raised to high', () => {
    expect([30, 31, 60, 61].map((value) => selectTone('lower', value))).toEqual([
      'tone-4',
      'tone-3',
      'tone-3',
      'tone-2',
    ]);
  });

  test('has a style on both pages, and a hue of its own for every step', () => {
    for (const { html } of [renderScoresPage(), renderDemoPage()]) {
      const style = contentOf(html, 'style');
      const hues = [...steps, 'tone-none'].map(
        (tone) => new RegExp(`\\.${tone} \\{\\s+--score: (light-dark\\([^;]+\\));`).exec(style)?.[1],
      );
      expect(hues).not.toContain(undefined);
      expect(new Set(hues).size).toBe(steps.length + 1);
    }
  });
});

test('a day that has just begun reports nothing missing yet, and any other day says what is missing', () => {
  const noData: DemoScoreDay = {
    date: '2026-03-14',
    value: null,
    confidence: null,
    status: 'missing',
    reason: 'no_data',
  };
  expect(describeMissingScore('2026-03-14', noData)).toBe('Nothing yet today');
  expect(describeMissingScore('2026-03-15', noData)).toBe(scoreStateTexts.reasons.no_data);
  expect(describeMissingScore('2026-03-14', { ...noData, reason: 'log_incomplete' })).toBe(
    scoreStateTexts.reasons.log_incomplete,
  );
  const { reason: _, ...calibrating } = { ...noData, status: 'calibrating', days: 2, needed: 5 } as const;
  expect(describeMissingScore('2026-03-14', calibrating)).toContain('2 of 5');
});
