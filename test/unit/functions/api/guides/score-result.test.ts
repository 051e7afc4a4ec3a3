import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { computeExampleOutcome } from '../../../../../functions/api/guides/compute-example-outcome.ts';
import { renderDemoPage } from '../../../../../functions/api/guides/demo-page.ts';
import { renderConfidence, renderResult } from '../../../../../functions/api/guides/render-example.ts';
import { scoreExamples } from '../../../../../functions/api/guides/score-examples.ts';
import { scoreStateTexts } from '../../../../../functions/api/guides/score-state-text.ts';
import { renderToneScale, selectTone, toneSteps } from '../../../../../functions/api/guides/score-tones.ts';
import { renderScoresPage } from '../../../../../functions/api/guides/scores-page.ts';
import { type ScoreId, scoreIds } from '../../../../../shared/catalog/score-ids.ts';
import { confidences } from '../../../../../shared/catalog/score-states.ts';
import { betterDirections } from '../../../../../shared/catalog/score-table.ts';
import { documentStub } from '../docs-kit/document-stub.ts';
import { contentOf } from '../docs-kit/page-checks.ts';

const assets = new URL('../../../../../functions/api/guides/assets/', import.meta.url);
const importAsset = (name: string) => import(new URL(name, assets).href);
const result: { renderResult(id: ScoreId, outcome: unknown): unknown } = await import(
  new URL('../score-result.js', assets).href
);
const icons: {
  renderConfidence(level: string): unknown;
  selectTone(steps: readonly number[], better: string, value: number): string;
  renderToneScale(steps: readonly number[], better: string, value: number): unknown;
  describeDay(texts: unknown, today: string, day: object): string;
} = await importAsset('score-icons.js');

const allValues = Array.from({ length: 101 }, (_, value) => value);

describe('the script draws the same as the server-rendered page', () => {
  beforeAll(() => vi.stubGlobal('document', documentStub));
  afterAll(() => vi.unstubAllGlobals());

  const cases = scoreIds.flatMap((id) => scoreExamples[id].cases.map(({ title, values }) => ({ id, title, values })));
  test.each(cases)('for $id: $title', ({ id, values }) => {
    const outcome = computeExampleOutcome(id, values);
    expect(String(result.renderResult(id, outcome))).toBe(renderResult(id, outcome));
  });

  test('for every confidence', () => {
    for (const level of confidences) expect(String(icons.renderConfidence(level))).toBe(renderConfidence(level));
  });

  test('for every tone and its scale', () => {
    for (const better of betterDirections) {
      for (const value of allValues) {
        expect(icons.selectTone(toneSteps, better, value)).toBe(selectTone(better, value));
        expect(String(icons.renderToneScale(toneSteps, better, value))).toBe(renderToneScale(better, value));
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
  const noData = { date: '2026-03-14', status: 'missing', reason: 'no_data' };
  const describeDay = (today: string, day: object) => icons.describeDay(scoreStateTexts, today, day);
  expect(describeDay('2026-03-14', noData)).toBe('Nothing yet today');
  expect(describeDay('2026-03-15', noData)).toBe(scoreStateTexts.reasons.no_data);
  expect(describeDay('2026-03-14', { ...noData, reason: 'log_incomplete' })).toBe(
    scoreStateTexts.reasons.log_incomplete,
  );
  expect(describeDay('2026-03-14', { date: '2026-03-14', status: 'calibrating', days: 2, needed: 5 })).toContain(
    '2 of 5',
  );
});
