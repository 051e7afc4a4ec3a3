// SVG charts, drawn at the width of their container. A day without a value is hatched, to
// distinguish it from a day with zero.
import { createDisclosure, createElement, createSvgElement } from '../../docs-kit/assets/dom.js';

const margin = { top: 10, right: 6, bottom: 36, left: 40 };

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' });
const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short' });
/**
 * With more days, a chart names months instead of weekdays, and its label no longer lists every
 * day.
 */
const maxListedDays = 31;
const labelWidth = 30;
const parseDate = (date) => new Date(`${date}T00:00:00Z`);
export const formatDay = (date) => dayFormat.format(parseDate(date));

/** What a screen reader says of a chart. The table below it has every day. */
export const describeChart = (name, titles) =>
  titles.length > maxListedDays ? `${name}, ${titles.length} days. ${titles.at(-1)}` : `${name}. ${titles.join('; ')}`;

/** A container that `draw(width)` fills, and redraws whenever its width changes. */
export function createResponsiveChart(className, draw) {
  const container = createElement('div', { class: className });
  let drawnWidth = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === drawnWidth || width === 0) return;
    drawnWidth = width;
    container.replaceChildren(draw(width));
  }).observe(container);
  return container;
}

export function renderChartFigure({ title, headline, note, legend, draw, table }) {
  return createElement(
    'figure',
    { class: 'chart' },
    createElement(
      'figcaption',
      {},
      createElement('h2', {}, title),
      createElement(
        'p',
        { class: 'headline' },
        headline.value,
        createElement('span', { class: 'muted' }, ` ${headline.unit}`),
      ),
      createElement('p', { class: 'field-note' }, note),
    ),
    createResponsiveChart('chart-area', draw),
    legend ?? '',
    createDisclosure('As a table', () => renderValueTable(title, table), { className: 'nested' }),
  );
}

export function renderValueTable(title, { columns, rows }) {
  return createElement(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': `${title} as a table` },
    createElement(
      'table',
      {},
      createElement(
        'thead',
        {},
        createElement(
          'tr',
          {},
          columns.map((name) => createElement('th', { scope: 'col' }, name)),
        ),
      ),
      createElement(
        'tbody',
        {},
        rows.map(([first, ...others]) =>
          createElement(
            'tr',
            {},
            createElement('th', { scope: 'row' }, first),
            others.map((text) => createElement('td', {}, text)),
          ),
        ),
      ),
    ),
  );
}

export function renderLegend(entries) {
  return createElement(
    'ul',
    { class: 'legend' },
    entries.map(({ name, className }) => createElement('li', { class: className }, name)),
  );
}

/** `segments` are the parts of each bar from the bottom up, with one value or null per day. */
export function renderBars({ width, height = 190, label, dates, segments, ticks, formatTick, titles }) {
  const plot = createPlot({ width, height, label, dates, ticks, formatTick });
  const hasValue = dates.map((_, day) => segments.some(({ values }) => values[day] !== null));
  plot.chart.append(...renderMissingRuns(plot, hasValue));
  for (const [day] of dates.entries()) {
    if (!hasValue[day]) continue;
    const group = createSvgElement(
      'g',
      { class: 'day' },
      createSvgElement('title', {}, titles[day]),
      plot.renderColumn(day),
    );
    const barWidth = Math.min(plot.band * 0.62, 44);
    let baseValue = 0;
    for (const { values, className } of segments) {
      const value = values[day] ?? 0;
      const top = plot.scaleY(baseValue + value);
      const segmentHeight = plot.scaleY(baseValue) - top;
      const isZero = segments.length === 1 && value === 0;
      if (segmentHeight > 0 || isZero) {
        const position = { x: plot.scaleX(day) - barWidth / 2, y: isZero ? top - 2 : top, width: barWidth };
        group.append(
          createSvgElement('rect', { ...position, height: isZero ? 2 : segmentHeight, rx: 2, class: className }),
        );
      }
      baseValue += value;
    }
    plot.chart.append(group);
  }
  return plot.chart;
}

/** A line that breaks at days without a value. `renderMark(day, position)` draws a day's point. */
export function renderLine({
  width,
  height = 190,
  label,
  dates,
  values,
  ticks,
  formatTick,
  titles,
  className,
  renderMark,
  isSparkline = false,
}) {
  const plot = createPlot({ width, height, label, dates, ticks, formatTick, isSparkline });
  const hasValue = values.map((value) => value !== null);
  plot.chart.append(...renderMissingRuns(plot, hasValue));
  for (const { from, to } of findRuns(hasValue)) {
    const points = values.slice(from, to).map((value, index) => `${plot.scaleX(from + index)},${plot.scaleY(value)}`);
    if (points.length > 1)
      plot.chart.append(createSvgElement('polyline', { points: points.join(' '), class: className }));
  }
  const r = isSparkline ? Math.min(3.5, Math.max(1.75, plot.band * 0.4)) : Math.min(4, Math.max(1.5, plot.band * 0.4));
  const renderPoint =
    renderMark ?? ((_, { x, y }) => createSvgElement('circle', { cx: x, cy: y, r, class: className }));
  for (const [day, value] of values.entries()) {
    const points = value === null ? [] : [renderPoint(day, { x: plot.scaleX(day), y: plot.scaleY(value), r })];
    plot.chart.append(
      createSvgElement(
        'g',
        { class: 'day' },
        createSvgElement('title', {}, titles[day]),
        plot.renderColumn(day),
        ...points,
      ),
    );
  }
  return plot.chart;
}

function createPlot({ width, height, label, dates, ticks, formatTick, isSparkline }) {
  const padding = isSparkline ? { top: 5, right: 0, bottom: 5, left: 0 } : margin;
  const [min, max] = [ticks[0], ticks[ticks.length - 1]];
  const inner = { width: width - padding.left - padding.right, height: height - padding.top - padding.bottom };
  const band = inner.width / dates.length;
  const scaleX = (day) => padding.left + band * (day + 0.5);
  const scaleY = (value) => padding.top + inner.height * (1 - (value - min) / (max - min));
  const gap = Math.min(1, band * 0.1);
  const computeArea = (from, to) => ({
    x: padding.left + band * from + gap,
    y: padding.top,
    width: Math.max(1, band * (to - from) - 2 * gap),
    height: inner.height,
  });
  const chart = createSvgElement('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': label,
  });
  if (!isSparkline) {
    for (const tick of ticks) {
      chart.append(
        createSvgElement('line', {
          x1: padding.left,
          x2: width - padding.right,
          y1: scaleY(tick),
          y2: scaleY(tick),
          class: 'grid-line',
        }),
        createSvgElement(
          'text',
          { x: padding.left - 8, y: scaleY(tick) + 4, class: 'tick tick-value' },
          formatTick(tick),
        ),
      );
    }
    const step = Math.ceil((labelWidth + 6) / band);
    const format = dates.length > maxListedDays ? monthFormat : weekdayFormat;
    for (const [day, date] of dates.entries()) {
      if ((dates.length - 1 - day) % step !== 0) continue;
      const x = Math.min(scaleX(day), width - labelWidth / 2);
      chart.append(
        createSvgElement('text', { x, y: height - 20, class: 'tick' }, format.format(parseDate(date))),
        createSvgElement('text', { x, y: height - 5, class: 'tick' }, Number(date.slice(8))),
      );
    }
  }
  const renderColumn = (day) => createSvgElement('rect', { ...computeArea(day, day + 1), class: 'column' });
  return { chart, scaleX, scaleY, band, computeArea, renderColumn, isSparkline };
}

function renderMissingRuns(plot, hasValue) {
  const missingRuns = findRuns(hasValue.map((isPresent) => !isPresent));
  if (missingRuns.length === 0) return [];
  const pattern = createSvgElement(
    'pattern',
    {
      id: `hatch-${++patternCount}`,
      width: 6,
      height: 6,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    },
    createSvgElement('line', { x1: 0, x2: 0, y1: 0, y2: 6, class: 'hatch' }),
  );
  const areas = missingRuns.flatMap(({ from, to }) => {
    const bounds = plot.computeArea(from, to);
    const rectangle = createSvgElement('rect', { ...bounds, rx: 3, fill: `url(#hatch-${patternCount})` });
    if (plot.isSparkline || bounds.width < 54) return [rectangle];
    const center = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 + 4 };
    return [rectangle, createSvgElement('text', { ...center, class: 'tick tick-missing' }, 'no data')];
  });
  return [createSvgElement('defs', {}, pattern), ...areas];
}
let patternCount = 0;

/** The runs of consecutive true flags, each as [from, to). */
export function findRuns(flags) {
  const runs = [];
  for (const [index, flag] of flags.entries()) {
    if (!flag) continue;
    const last = runs.at(-1);
    if (last?.to === index) last.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs;
}

/**
 * Four to six round ticks that span every value. They start at zero unless `startsAtZero` is false.
 */
export function chooseTicks(values, { startsAtZero = true, minStep = 1 } = {}) {
  const presentValues = values.filter((value) => value !== null);
  const min = startsAtZero || presentValues.length === 0 ? 0 : Math.min(...presentValues);
  const max = Math.max(min + minStep, ...presentValues);
  const idealStep = (max - min) / 5;
  const power = 10 ** Math.floor(Math.log10(idealStep));
  const roundStep = [1, 2, 5].map((digit) => digit * power).find((step) => step >= idealStep) ?? 10 * power;
  const step = Math.max(minStep, roundStep);
  const first = Math.floor(min / step);
  const count = Math.ceil(max / step) - first;
  return Array.from({ length: Math.max(1, count) + 1 }, (_, index) => (first + index) * step);
}
