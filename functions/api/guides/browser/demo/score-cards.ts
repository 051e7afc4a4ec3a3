// The scores of the demo: each with its confidence and its factors, or the reason why a day has
// none.

import type { ScoreId } from '../../../../../shared/catalog/score-ids.ts';
import { form2ScoreIds, scoreRow } from '../../../../../shared/catalog/score-table.ts';
import type { ExplainedFactor } from '../../../../../shared/reads/scores/form-2-schema.ts';
import type { ApiSchemas } from '../../../docs-kit/browser/api-response.ts';
import { createDisclosure, createElement, createNode, createSvgElement } from '../../../docs-kit/browser/dom.ts';
import { drawConfidence, drawFactorBar, drawToneScale, getComparisonLabel } from '../../scores/score-pictures.ts';
import { type Better, selectTone } from '../../scores/score-tones.ts';
import {
  createResponsiveChart,
  describeChart,
  formatChartDay,
  renderLine,
  renderValueTable,
  type ValueTable,
} from './chart.ts';
import type { LoadedDays } from './demo-api.ts';
import type { DemoScores } from './demo-forms.ts';
import { type DemoScoreDay, describeMissingScore } from './missing-score.ts';

const betterTexts: Readonly<Record<Better, string>> = {
  higher: 'Higher is better',
  lower: 'Lower is better',
  none: 'Neither higher nor lower is better',
};

export function renderScoreSection({ scores, history, metrics }: Omit<LoadedDays, 'daily'>): HTMLElement {
  return createElement(
    'section',
    { class: 'scores', 'aria-labelledby': 'scores-heading' },
    createElement('h2', { id: 'scores-heading' }, 'Scores'),
    createElement(
      'p',
      { class: 'field-note' },
      'Each score is a number from 0 to 100 and the sum of its factors, computed from what the devices reported. The weights are our choice. ',
      createElement('a', { href: 'scores' }, 'How scores are computed'),
      '. Daybook is not a medical device.',
    ),
    renderMarkLegend(),
    createElement(
      'div',
      { class: 'score-cards' },
      form2ScoreIds.map((id) => {
        const byDate = new Map(history.filter(({ type }) => type === id).map((row) => [row.date, row]));
        return renderScoreCard({
          scores,
          metrics,
          id,
          days: scores.dates.map((date) => byDate.get(date) ?? createMissingDay(date)),
        });
      }),
    ),
  );
}

const createMissingDay = (date: string): DemoScoreDay => ({
  date,
  value: null,
  confidence: null,
  status: 'missing',
  reason: 'no_data',
});

interface ScoreCard {
  scores: DemoScores;
  metrics: readonly ApiSchemas['Metric'][];
  id: ScoreId;
  days: readonly DemoScoreDay[];
}

function renderScoreCard({ scores, metrics, id, days }: ScoreCard): HTMLElement {
  const { displayName: name, better } = scoreRow(id);
  const latest = scores.latest[id] ?? null;
  const missingDay = findMissingDay(days, latest);
  const describeReason = (day: DemoScoreDay): string => describeMissingScore(scores.to_date, day);
  const titles = days.map((day) => `${formatChartDay(day.date)}: ${describeScore(day, describeReason)}`);
  const selectScoreTone = (value: number): string => selectTone(better, value);
  const sparkline = createResponsiveChart('sparkline', (width) =>
    renderLine({
      width,
      height: 56,
      label: describeChart(`${name} score per day`, titles),
      dates: scores.dates,
      values: days.map(({ value }) => value),
      ticks: [0, 100],
      titles,
      className: 'stroke-score',
      renderMark: (day, position) => {
        const { value = null, confidence = null, status = 'missing' } = days[day] ?? {};
        return renderConfidenceMark({ confidence, status }, position, selectScoreTone(value ?? 0));
      },
      isSparkline: true,
    }),
  );
  return createElement(
    'article',
    { class: `score-card ${latest ? selectScoreTone(latest.value) : 'tone-none'}` },
    createElement('h3', {}, name),
    createElement('p', { class: 'better-label' }, betterTexts[better]),
    latest
      ? createElement('p', { class: selectHeadlineClass(latest) }, String(latest.value), renderChange(latest))
      : createElement('p', { class: 'headline muted' }, 'None'),
    latest ? createNode(drawToneScale(better, latest.value)) : '',
    latest
      ? createElement('p', {}, createNode(drawConfidence(latest.confidence, `${latest.confidence} confidence`)))
      : '',
    latest
      ? createElement(
          'p',
          { class: 'field-note' },
          `${formatChartDay(latest.date)}${latest.status === 'provisional' ? ', so far' : ''}, ${latest.formula}`,
        )
      : '',
    missingDay
      ? createElement('p', { class: 'field-note' }, `${formatChartDay(missingDay.date)}: ${describeReason(missingDay)}`)
      : '',
    sparkline,
    renderFactorList(scores, metrics, id, latest),
    createDisclosure('As a table', () => renderValueTable(name, buildDayTable(days, describeReason)), {
      className: 'nested',
    }),
  );
}

/** A value of low confidence is shown less prominently. */
const selectHeadlineClass = ({ confidence }: ApiSchemas['LatestScore']): string =>
  confidence === 'low' ? 'headline low-confidence' : 'headline';

/**
 * Of the days since the newest value, the last one with a reason other than `no_data`, or else the
 * last one.
 */
function findMissingDay(
  days: readonly DemoScoreDay[],
  latest: ApiSchemas['LatestScore'] | null,
): DemoScoreDay | undefined {
  const laterDays = days.filter(({ date }) => latest === null || date > latest.date);
  return laterDays.findLast(({ reason }) => reason !== 'no_data') ?? laterDays.at(-1);
}

type DayMark = Pick<DemoScoreDay, 'confidence' | 'status'>;

const isProvisional = ({ status }: DayMark): boolean => status === 'provisional';

function describeScore(day: DemoScoreDay, describeReason: (day: DemoScoreDay) => string): string {
  if (day.value === null) return `none. ${describeReason(day)}`;
  return `${day.value}, ${day.confidence} confidence${isProvisional(day) ? ', the day is not over' : ''}`;
}

const buildDayTable = (days: readonly DemoScoreDay[], describeReason: (day: DemoScoreDay) => string): ValueTable => ({
  columns: ['Day', 'Score', 'Confidence', 'Why'],
  rows: days.map((day) => [
    formatChartDay(day.date),
    day.value === null ? 'none' : String(day.value),
    day.confidence ?? '',
    day.value === null ? describeReason(day) : isProvisional(day) ? 'The day is not over' : '',
  ]),
});

/** Full, half or empty by confidence, and dashed while the day is not over. */
function renderConfidenceMark(
  day: DayMark,
  { x, y, r }: { x: number; y: number; r: number },
  tone = 'tone-none',
): SVGElement {
  const half = `M${x - r},${y} a${r},${r} 0 0 0 ${2 * r},0 Z`;
  return createSvgElement(
    'g',
    {
      class: `confidence-mark ${tone} confidence-mark-${day.confidence}${isProvisional(day) ? ' confidence-mark-provisional' : ''}`,
    },
    createSvgElement('circle', { cx: x, cy: y, r }),
    ...(day.confidence === 'medium' ? [createSvgElement('path', { d: half })] : []),
  );
}

function renderMarkLegend(): HTMLElement {
  const marks: [text: string, day: DayMark][] = [
    ['High confidence', { confidence: 'high', status: 'ready' }],
    ['Medium', { confidence: 'medium', status: 'ready' }],
    ['Low', { confidence: 'low', status: 'ready' }],
    ['The day is not over', { confidence: 'low', status: 'provisional' }],
  ];
  return createElement(
    'ul',
    { class: 'mark-legend' },
    marks.map(([text, day]) =>
      createElement(
        'li',
        {},
        createSvgElement(
          'svg',
          { viewBox: '0 0 16 16', 'aria-hidden': 'true' },
          renderConfidenceMark(day, { x: 8, y: 8, r: 4.5 }),
        ),
        text,
      ),
    ),
    createElement('li', {}, 'Hatched: no score (the table says why)'),
  );
}

function renderChange({ value, previous_value: previous }: ApiSchemas['LatestScore']): HTMLElement | string {
  if (previous === null || previous === value) return '';
  const sign = value > previous ? '+' : '−';
  return createElement('span', { class: 'muted' }, `${sign}${Math.abs(value - previous)} since the day before`);
}

function renderFactorList(
  scores: DemoScores,
  metrics: readonly ApiSchemas['Metric'][],
  id: ScoreId,
  latest: ApiSchemas['LatestScore'] | null,
): HTMLElement | string {
  const factors = latest ? scores.factors?.[id]?.[scores.dates.indexOf(latest.date)] : undefined;
  if (!factors) return '';
  return createElement(
    'ul',
    { class: 'factors' },
    factors.map((factor) =>
      createElement(
        'li',
        {},
        createElement('span', {}, formatFactorName(factor.name)),
        createElement('span', {}, String(factor.contribution)),
        renderFactorDetail(factor, metrics),
        createNode(drawFactorBar(factor.weight ?? 100, factor.contribution)),
      ),
    ),
  );
}

const formatFactorName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Right after new data arrives, a factor can be missing its explanation. */
function renderFactorDetail(
  { name, input, value, usual = null, points, weight }: ExplainedFactor,
  metrics: readonly ApiSchemas['Metric'][],
): HTMLElement | string {
  if (input === undefined || value === undefined) return '';
  const metric = metrics.find(({ id }) => id === input);
  const score = form2ScoreIds.find((id) => id === input);
  const inputName = metric?.display_name ?? (score ? scoreRow(score).displayName : input);
  const unit = metric === undefined ? ' points' : metric.unit === 'count' ? '' : ` ${metric.unit}`;
  const comparison = usual === null ? '' : `, ${getComparisonLabel(name)} ${usual.toLocaleString('en')}`;
  return createElement(
    'span',
    { class: 'factor-detail' },
    `${inputName} ${value.toLocaleString('en')}${unit}${comparison}: ${points} points × ${weight}%`,
  );
}
