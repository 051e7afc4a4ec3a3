// The scores of the demo: each with its confidence and its factors, or the reason why a day has
// none.
import { dayName, line, roomFor, valueTable } from './chart.js';
import { disclosure, element, svg } from './dom.js';
import { comparedWith, confidenceSign, dayInWords, factorBar, toneOf, toneScale } from './score-signs.js';

const { shown, words: stateWords, toneSteps } = JSON.parse(document.querySelector('main').dataset.scores);
const betterWords = {
  higher: 'Higher is better',
  lower: 'Lower is better',
  none: 'Neither higher nor lower is better',
};

export function scoreSection({ scores, history, metrics }) {
  return element(
    'section',
    { class: 'scores', 'aria-labelledby': 'scores-heading' },
    element('h2', { id: 'scores-heading' }, 'Scores'),
    element(
      'p',
      { class: 'field-note' },
      'Each score is a number from 0 to 100 and the sum of its factors, computed from what the devices reported. The weights are our choice. ',
      element('a', { href: 'scores' }, 'How scores are computed'),
      '. Daybook is not a medical device.',
    ),
    marksExplained(),
    element(
      'div',
      { class: 'score-cards' },
      Object.entries(shown).map(([id, about]) => {
        const byDate = new Map(history.filter(({ type }) => type === id).map((row) => [row.date, row]));
        const days = scores.dates.map(
          (date) => byDate.get(date) ?? { date, value: null, status: 'missing', reason: 'no_data' },
        );
        return scoreCard({ scores, metrics, id, days, ...about });
      }),
    ),
  );
}

function scoreCard({ scores, metrics, id, days, name, better }) {
  const latest = scores.latest[id];
  const without = newestWithout(days, latest);
  const why = (day) => dayInWords(stateWords, scores.to_date, day);
  const titles = days.map((day) => `${dayName(day.date)}: ${scoreInWords(day, why)}`);
  const tone = (value) => toneOf(toneSteps, better, value);
  const room = roomFor('spark', (width) =>
    line({
      width,
      height: 56,
      label: `${name} score per day. ${titles.join('; ')}`,
      dates: scores.dates,
      values: days.map(({ value }) => value),
      ticks: [0, 100],
      titles,
      className: 'stroke-score',
      mark: (day, place) => confidenceMark(days[day], place, tone(days[day].value)),
      bare: true,
    }),
  );
  return element(
    'article',
    { class: `score-card ${latest ? tone(latest.value) : 'tone-none'}` },
    element('h3', {}, name),
    element('p', { class: 'better' }, betterWords[better]),
    latest
      ? element('p', { class: scoreHeadline(latest) }, String(latest.value), change(latest))
      : element('p', { class: 'headline quiet' }, 'None'),
    latest ? toneScale(toneSteps, better, latest.value) : '',
    latest ? element('p', {}, confidenceSign(latest.confidence, `${latest.confidence} confidence`)) : '',
    latest
      ? element(
          'p',
          { class: 'field-note' },
          `${dayName(latest.date)}${latest.status === 'provisional' ? ', so far' : ''}, ${latest.formula}`,
        )
      : '',
    without ? element('p', { class: 'field-note' }, `${dayName(without.date)}: ${why(without)}`) : '',
    room,
    factorList(scores, metrics, id, latest),
    disclosure('As a table', () => valueTable(name, tableOfDays(days, why)), { className: 'nested' }),
  );
}

/** A value of low confidence is shown less prominently. */
const scoreHeadline = ({ confidence }) => (confidence === 'low' ? 'headline unsure' : 'headline');

/**
 * Of the days since the newest value, the last one with a reason other than `no_data`, or else the
 * last one.
 */
function newestWithout(days, latest) {
  const since = days.filter(({ date }) => latest === null || date > latest.date);
  return since.findLast(({ reason }) => reason !== 'no_data') ?? since.at(-1);
}

const isProvisional = ({ status }) => status === 'provisional';

function scoreInWords(day, why) {
  if (day.value === null) return `none. ${why(day)}`;
  return `${day.value}, ${day.confidence} confidence${isProvisional(day) ? ', the day is not over' : ''}`;
}

const tableOfDays = (days, why) => ({
  columns: ['Day', 'Score', 'Confidence', 'Why'],
  rows: days.map((day) => [
    dayName(day.date),
    day.value === null ? 'none' : String(day.value),
    day.confidence ?? '',
    day.value === null ? why(day) : isProvisional(day) ? 'The day is not over' : '',
  ]),
});

/** Full, half or empty by confidence, and dashed while the day is not over. */
function confidenceMark(day, { x, y, r }, tone = 'tone-none') {
  const half = `M${x - r},${y} a${r},${r} 0 0 0 ${2 * r},0 Z`;
  return svg(
    'g',
    { class: `mark ${tone} mark-${day.confidence}${isProvisional(day) ? ' mark-provisional' : ''}` },
    svg('circle', { cx: x, cy: y, r }),
    ...(day.confidence === 'medium' ? [svg('path', { d: half })] : []),
  );
}

function marksExplained() {
  const marks = [
    ['High confidence', { confidence: 'high' }],
    ['Medium', { confidence: 'medium' }],
    ['Low', { confidence: 'low' }],
    ['The day is not over', { confidence: 'low', status: 'provisional' }],
  ];
  return element(
    'ul',
    { class: 'marks' },
    marks.map(([text, day]) =>
      element(
        'li',
        {},
        svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, confidenceMark(day, { x: 8, y: 8, r: 4.5 })),
        text,
      ),
    ),
    element('li', {}, 'Hatched: no score (the table says why)'),
  );
}

function change({ value, previous_value: previous }) {
  if (previous === null || previous === value) return '';
  const sign = value > previous ? '+' : '−';
  return element('span', { class: 'quiet' }, `${sign}${Math.abs(value - previous)} since the day before`);
}

function factorList(scores, metrics, id, latest) {
  const factors = latest ? scores.factors?.[id]?.[scores.dates.indexOf(latest.date)] : undefined;
  if (!factors) return '';
  return element(
    'ul',
    { class: 'factors' },
    factors.map((factor) =>
      element(
        'li',
        {},
        element('span', {}, factor.name.replaceAll('_', ' ')),
        element('span', {}, String(factor.contribution)),
        judgedFrom(factor, metrics),
        factorBar(factor.weight ?? 100, factor.contribution),
      ),
    ),
  );
}

/** Right after new data arrives, a factor can be missing its explanation. */
function judgedFrom({ name, input, value, usual, points, weight }, metrics) {
  if (input === undefined) return '';
  const stated = metrics.find(({ id }) => id === input)?.unit ?? 'points';
  const unit = stated === 'count' ? input : stated;
  const usually = usual === null ? '' : `, ${comparedWith(name)} ${usual}`;
  return element('span', { class: 'judged' }, `${value} ${unit}${usually}: ${points} points × ${weight} %`);
}
