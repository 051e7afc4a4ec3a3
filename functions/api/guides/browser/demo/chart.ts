// SVG charts, drawn at the width of their container. A day without a value is hatched, to
// distinguish it from a day with zero.
import { createDisclosure, createElement, createSvgElement } from '../../../docs-kit/browser/dom.ts';
import { findDayRuns } from './chart-scale.ts';

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
const parseDate = (date: string): Date => new Date(`${date}T00:00:00Z`);
export const formatChartDay = (date: string): string => dayFormat.format(parseDate(date));

/** What a screen reader says of a chart. The table below it has every day. */
export const describeChart = (name: string, titles: readonly string[]): string =>
  titles.length > maxListedDays ? `${name}, ${titles.length} days. ${titles.at(-1)}` : `${name}. ${titles.join('; ')}`;

/** A container that `draw(width)` fills, and redraws whenever its width changes. */
export function createResponsiveChart(className: string, draw: (width: number) => SVGElement): HTMLElement {
  const container = createElement('div', { class: className });
  let drawnWidth = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width === drawnWidth || width === 0) return;
    drawnWidth = width;
    container.replaceChildren(draw(width));
  }).observe(container);
  return container;
}

export interface ValueTable {
  columns: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly [string, ...string[]])[];
}

interface ChartFigure {
  title: string;
  headline: { value: string; unit: string };
  note: string;
  legend?: HTMLElement;
  draw: (width: number) => SVGElement;
  table: ValueTable;
}

export function renderChartFigure({ title, headline, note, legend, draw, table }: ChartFigure): HTMLElement {
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
    legend,
    createDisclosure('As a table', () => renderValueTable(title, table), { className: 'nested' }),
  );
}

export function renderValueTable(title: string, { columns, rows }: ValueTable): HTMLElement {
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

export function renderLegend(entries: readonly { name: string; className: string }[]): HTMLElement {
  return createElement(
    'ul',
    { class: 'legend' },
    entries.map(({ name, className }) => createElement('li', { class: className }, name)),
  );
}

type Values = readonly (number | null)[];

interface PlotInput {
  width: number;
  height?: number;
  label: string;
  dates: readonly string[];
  ticks: readonly number[];
  formatTick?: (tick: number) => string;
  /** A chart as small as a line of text has no axes. */
  isSparkline?: boolean;
}

interface BarsInput extends PlotInput {
  /** The parts of each bar from the bottom up, with one value or null per day. */
  segments: readonly { values: Values; className: string }[];
  titles: readonly string[];
}

export function renderBars({ segments, titles, ...input }: BarsInput): SVGElement {
  const plot = createPlot(input);
  const hasValue = input.dates.map((_, day) => segments.some(({ values }) => (values[day] ?? null) !== null));
  plot.chart.append(...renderMissingRuns(plot, hasValue));
  for (const [day] of input.dates.entries()) {
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

interface MarkPosition {
  x: number;
  y: number;
  r: number;
}

interface LineInput extends PlotInput {
  values: Values;
  titles: readonly string[];
  className: string;
  /** Draws a day's point; a dot unless it is given. */
  renderMark?: (day: number, position: MarkPosition) => SVGElement;
}

/** A line that breaks at days without a value. */
export function renderLine({ values, titles, className, renderMark, ...input }: LineInput): SVGElement {
  const plot = createPlot(input);
  const hasValue = values.map((value) => value !== null);
  plot.chart.append(...renderMissingRuns(plot, hasValue));
  for (const { from, to } of findDayRuns(hasValue)) {
    const points = values
      .slice(from, to)
      .map((value, index) => `${plot.scaleX(from + index)},${plot.scaleY(value ?? 0)}`);
    if (points.length > 1)
      plot.chart.append(createSvgElement('polyline', { points: points.join(' '), class: className }));
  }
  const [minRadius, maxRadius] = input.isSparkline ? [1.75, 3.5] : [1.5, 4];
  const r = Math.min(maxRadius, Math.max(minRadius, plot.band * 0.4));
  const renderPoint =
    renderMark ??
    ((_: number, { x, y }: MarkPosition) => createSvgElement('circle', { cx: x, cy: y, r, class: className }));
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

interface Plot {
  chart: SVGSVGElement;
  scaleX(day: number): number;
  scaleY(value: number): number;
  /** The width of a day. */
  band: number;
  computeArea(from: number, to: number): { x: number; y: number; width: number; height: number };
  renderColumn(day: number): SVGElement;
  isSparkline: boolean;
}

function createPlot({
  width,
  height = 190,
  label,
  dates,
  ticks,
  formatTick = String,
  isSparkline = false,
}: PlotInput): Plot {
  const padding = isSparkline ? { top: 5, right: 0, bottom: 5, left: 0 } : margin;
  const [min, max] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const inner = { width: width - padding.left - padding.right, height: height - padding.top - padding.bottom };
  const band = inner.width / dates.length;
  const scaleX = (day: number): number => padding.left + band * (day + 0.5);
  const scaleY = (value: number): number => padding.top + inner.height * (1 - (value - min) / (max - min));
  const gap = Math.min(1, band * 0.1);
  const computeArea = (from: number, to: number) => ({
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
        createSvgElement('text', { x, y: height - 5, class: 'tick' }, String(Number(date.slice(8)))),
      );
    }
  }
  const renderColumn = (day: number): SVGElement =>
    createSvgElement('rect', { ...computeArea(day, day + 1), class: 'column' });
  return { chart, scaleX, scaleY, band, computeArea, renderColumn, isSparkline };
}

function renderMissingRuns(plot: Plot, hasValue: readonly boolean[]): SVGElement[] {
  const missingRuns = findDayRuns(hasValue.map((isPresent) => !isPresent));
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
