// The scores of the demo: each with its confidence and its factors, or the reason why a day has
// none.

import { createDisclosure, createElement, createSvgElement } from '../../docs-kit/assets/dom.js';
import { createResponsiveChart, describeChart, formatDay, renderLine, renderValueTable } from './chart.js';
import {
  describeDay,
  getComparisonLabel,
  renderConfidence,
  renderFactorBar,
  renderToneScale,
  selectTone,
} from './score-icons.js';

const { scores: shownScores, stateTexts, toneSteps } = JSON.parse(document.querySelector('main').dataset.texts);
const betterTexts = {
  higher: 'Higher is better',
  lower: 'Lower is better',
  none: 'Neither higher nor lower is better',
};

export function renderScoreSection({ scores, history, metrics }) {
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
      Object.entries(shownScores).map(([id, definition]) => {
        const byDate = new Map(history.filter(({ type }) => type === id).map((row) => [row.date, row]));
        const days = scores.dates.map(
          (date) => byDate.get(date) ?? { date, value: null, status: 'missing', reason: 'no_data' },
        );
        return renderScoreCard({ scores, metrics, id, days, ...definition });
      }),
    ),
  );
}

function renderScoreCard({ scores, metrics, id, days, name, better }) {
  const latest = scores.latest[id];
  const missingDay = findMissingDay(days, latest);
  const describeReason = (day) => describeDay(stateTexts, scores.to_date, day);
  const titles = days.map((day) => `${formatDay(day.date)}: ${describeScore(day, describeReason)}`);
  const selectScoreTone = (value) => selectTone(toneSteps, better, value);
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
      renderMark: (day, position) => renderConfidenceMark(days[day], position, selectScoreTone(days[day].value)),
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
    latest ? renderToneScale(toneSteps, better, latest.value) : '',
    latest ? createElement('p', {}, renderConfidence(latest.confidence, `${latest.confidence} confidence`)) : '',
    latest
      ? createElement(
          'p',
          { class: 'field-note' },
          `${formatDay(latest.date)}${latest.status === 'provisional' ? ', so far' : ''}, ${latest.formula}`,
        )
      : '',
    missingDay
      ? createElement('p', { class: 'field-note' }, `${formatDay(missingDay.date)}: ${describeReason(missingDay)}`)
      : '',
    sparkline,
    renderFactorList(scores, metrics, id, latest),
    createDisclosure('As a table', () => renderValueTable(name, buildDayTable(days, describeReason)), {
      className: 'nested',
    }),
  );
}

/** A value of low confidence is shown less prominently. */
const selectHeadlineClass = ({ confidence }) => (confidence === 'low' ? 'headline low-confidence' : 'headline');

/**
 * Of the days since the newest value, the last one with a reason other than `no_data`, or else the
 * last one.
 */
function findMissingDay(days, latest) {
  const laterDays = days.filter(({ date }) => latest === null || date > latest.date);
  return laterDays.findLast(({ reason }) => reason !== 'no_data') ?? laterDays.at(-1);
}

const isProvisional = ({ status }) => status === 'provisional';

function describeScore(day, describeReason) {
  if (day.value === null) return `none. ${describeReason(day)}`;
  return `${day.value}, ${day.confidence} confidence${isProvisional(day) ? ', the day is not over' : ''}`;
}

const buildDayTable = (days, describeReason) => ({
  columns: ['Day', 'Score', 'Confidence', 'Why'],
  rows: days.map((day) => [
    formatDay(day.date),
    day.value === null ? 'none' : String(day.value),
    day.confidence ?? '',
    day.value === null ? describeReason(day) : isProvisional(day) ? 'The day is not over' : '',
  ]),
});

/** Full, half or empty by confidence, and dashed while the day is not over. */
function renderConfidenceMark(day, { x, y, r }, tone = 'tone-none') {
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

function renderMarkLegend() {
  const marks = [
    ['High confidence', { confidence: 'high' }],
    ['Medium', { confidence: 'medium' }],
    ['Low', { confidence: 'low' }],
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

function renderChange({ value, previous_value: previous }) {
  if (previous === null || previous === value) return '';
  const sign = value > previous ? '+' : '−';
  return createElement('span', { class: 'muted' }, `${sign}${Math.abs(value - previous)} since the day before`);
}

function renderFactorList(scores, metrics, id, latest) {
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
        renderFactorBar(factor.weight ?? 100, factor.contribution),
      ),
    ),
  );
}

const formatFactorName = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Right after new data arrives, a factor can be missing its explanation. */
function renderFactorDetail({ name, input, value, usual, points, weight }, metrics) {
  if (input === undefined) return '';
  const metric = metrics.find(({ id }) => id === input);
  const inputName = metric?.display_name ?? shownScores[input]?.name ?? input;
  const unit = metric === undefined ? ' points' : metric.unit === 'count' ? '' : ` ${metric.unit}`;
  const comparison = usual === null ? '' : `, ${getComparisonLabel(name)} ${usual.toLocaleString('en')}`;
  return createElement(
    'span',
    { class: 'factor-detail' },
    `${inputName} ${value.toLocaleString('en')}${unit}${comparison}: ${points} points × ${weight}%`,
  );
}
