// SVG charts, drawn at the width of their container. A day without a value is hatched, to
// distinguish it from a day with zero.
import { disclosure, element, svg } from './dom.js';

const margin = { top: 10, right: 6, bottom: 36, left: 40 };

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' });
const asDate = (date) => new Date(`${date}T00:00:00Z`);
export const dayName = (date) => dayFormat.format(asDate(date));

/** A container that `draw(width)` fills, and redraws whenever its width changes. */
export function roomFor(className, draw) {
  const room = element('div', { class: className });
  let drawnWidth = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === drawnWidth || width === 0) return;
    drawnWidth = width;
    room.replaceChildren(draw(width));
  }).observe(room);
  return room;
}

export function chartFigure({ title, headline, note, legend, draw, table }) {
  return element(
    'figure',
    { class: 'chart' },
    element(
      'figcaption',
      {},
      element('h2', {}, title),
      element('p', { class: 'headline' }, headline.value, element('span', { class: 'quiet' }, ` ${headline.unit}`)),
      element('p', { class: 'field-note' }, note),
    ),
    roomFor('room', draw),
    legend ?? '',
    disclosure('As a table', () => valueTable(title, table), { className: 'nested' }),
  );
}

export function valueTable(title, { columns, rows }) {
  return element(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': `${title} as a table` },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          columns.map((name) => element('th', { scope: 'col' }, name)),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map(([first, ...others]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, first),
            others.map((text) => element('td', {}, text)),
          ),
        ),
      ),
    ),
  );
}

export function legendOf(entries) {
  return element(
    'ul',
    { class: 'legend' },
    entries.map(({ name, className }) => element('li', { class: className }, name)),
  );
}

/** `stacks` are the segments of each bar from the bottom up, with one value or null per day. */
export function bars({ width, height = 190, label, dates, stacks, ticks, tickText, titles }) {
  const plot = plotOf({ width, height, label, dates, ticks, tickText });
  const present = dates.map((_, day) => stacks.some(({ values }) => values[day] !== null));
  plot.picture.append(...missingRuns(plot, present));
  for (const [day] of dates.entries()) {
    if (!present[day]) continue;
    const group = svg('g', { class: 'day' }, svg('title', {}, titles[day]), plot.column(day));
    const barWidth = Math.min(plot.band * 0.62, 44);
    let ground = 0;
    for (const { values, className } of stacks) {
      const value = values[day] ?? 0;
      const top = plot.y(ground + value);
      const thickness = plot.y(ground) - top;
      const zero = stacks.length === 1 && value === 0;
      if (thickness > 0 || zero) {
        const shape = { x: plot.x(day) - barWidth / 2, y: zero ? top - 2 : top, width: barWidth };
        group.append(svg('rect', { ...shape, height: zero ? 2 : thickness, rx: 2, class: className }));
      }
      ground += value;
    }
    plot.picture.append(group);
  }
  return plot.picture;
}

/** A line that breaks at days without a value. `mark(day, place)` draws a day's point. */
export function line({
  width,
  height = 190,
  label,
  dates,
  values,
  ticks,
  tickText,
  titles,
  className,
  mark,
  bare = false,
}) {
  const plot = plotOf({ width, height, label, dates, ticks, tickText, bare });
  const present = values.map((value) => value !== null);
  plot.picture.append(...missingRuns(plot, present));
  for (const { from, to } of runsOf(present)) {
    const points = values.slice(from, to).map((value, index) => `${plot.x(from + index)},${plot.y(value)}`);
    if (points.length > 1) plot.picture.append(svg('polyline', { points: points.join(' '), class: className }));
  }
  const r = bare ? Math.min(3.5, Math.max(1.75, plot.band * 0.4)) : 4;
  const point = mark ?? ((_, { x, y }) => svg('circle', { cx: x, cy: y, r, class: className }));
  for (const [day, value] of values.entries()) {
    const there = value === null ? [] : [point(day, { x: plot.x(day), y: plot.y(value), r })];
    plot.picture.append(svg('g', { class: 'day' }, svg('title', {}, titles[day]), plot.column(day), ...there));
  }
  return plot.picture;
}

function plotOf({ width, height, label, dates, ticks, tickText, bare }) {
  const edge = bare ? { top: 5, right: 0, bottom: 5, left: 0 } : margin;
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const band = inner.width / dates.length;
  const x = (day) => edge.left + band * (day + 0.5);
  const y = (value) => edge.top + inner.height * (1 - (value - low) / (high - low));
  const box = (from, to) => ({
    x: edge.left + band * from + 1,
    y: edge.top,
    width: Math.max(1, band * (to - from) - 2),
    height: inner.height,
  });
  const picture = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  if (!bare) {
    for (const tick of ticks) {
      picture.append(
        svg('line', { x1: edge.left, x2: width - edge.right, y1: y(tick), y2: y(tick), class: 'grid' }),
        svg('text', { x: edge.left - 8, y: y(tick) + 4, class: 'tick tick-value' }, tickText(tick)),
      );
    }
    const step = Math.ceil(36 / band);
    for (const [day, date] of dates.entries()) {
      if ((dates.length - 1 - day) % step !== 0) continue;
      picture.append(
        svg('text', { x: x(day), y: height - 20, class: 'tick' }, weekdayFormat.format(asDate(date))),
        svg('text', { x: x(day), y: height - 5, class: 'tick' }, Number(date.slice(8))),
      );
    }
  }
  const column = (day) => svg('rect', { ...box(day, day + 1), class: 'column' });
  return { picture, x, y, band, box, column, bare };
}

function missingRuns(plot, present) {
  const missing = runsOf(present.map((is) => !is));
  if (missing.length === 0) return [];
  const pattern = svg(
    'pattern',
    { id: `hatch-${++patterns}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    svg('line', { x1: 0, x2: 0, y1: 0, y2: 6, class: 'hatch' }),
  );
  const boxes = missing.flatMap(({ from, to }) => {
    const box = plot.box(from, to);
    const area = svg('rect', { ...box, rx: 3, fill: `url(#hatch-${patterns})` });
    if (plot.bare || box.width < 54) return [area];
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 4 };
    return [area, svg('text', { ...middle, class: 'tick tick-missing' }, 'no data')];
  });
  return [svg('defs', {}, pattern), ...boxes];
}
let patterns = 0;

/** The runs of consecutive true flags, each as [from, to). */
export function runsOf(flags) {
  const runs = [];
  for (const [index, flag] of flags.entries()) {
    if (!flag) continue;
    const last = runs.at(-1);
    if (last?.to === index) last.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs;
}

/** Four to six round ticks that span every value. They start at zero unless `fromZero` is false. */
export function ticksFor(values, { fromZero = true, least: smallestStep = 1 } = {}) {
  const present = values.filter((value) => value !== null);
  const low = fromZero || present.length === 0 ? 0 : Math.min(...present);
  const high = Math.max(low + smallestStep, ...present);
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5].map((digit) => digit * power).find((step) => step >= rough) ?? 10 * power;
  const step = Math.max(smallestStep, round);
  const first = Math.floor(low / step);
  const count = Math.ceil(high / step) - first;
  return Array.from({ length: Math.max(1, count) + 1 }, (_, index) => (first + index) * step);
}
