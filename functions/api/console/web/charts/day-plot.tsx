// The drawing of a chart by day: the axes, the bars or the line, the hatching of today and the frame of
// the picked day.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatDay } from '../state/format.ts';
import type { ValueAxis } from '../state/format-value.ts';
import { axisPixels, chooseDays } from './choose-days.ts';

export interface DayPlotData {
  dates: readonly string[];
  values: readonly (number | null)[];
  /** Amounts are bars from zero; a rate is a line whose axis need not begin there. */
  kind: 'amount' | 'rate';
  axis: ValueAxis;
  /** The day that is not over, if it is in the range. */
  today: string | undefined;
  /** The custom property of the chart's colour. */
  colorName: string;
  picked: string | undefined;
  onPick: (date: string) => void;
}

interface DayPlotProps extends DayPlotData {
  at: number | undefined;
  onHover: (at: number | undefined) => void;
}

const chartPixels = 120;

export function DayPlot({ dates, values, kind, axis, today, colorName, picked, onPick, at, onHover }: DayPlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const picking = useRef(onPick);
  picking.current = onPick;
  const pickedRef = useRef(picked);
  pickedRef.current = picked;
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    let isHovered = false;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(
        buildOptions({
          width: element.clientWidth,
          element,
          dates,
          kind,
          axis,
          today,
          colorName,
          pickedDate: () => pickedRef.current,
          onCursor: (index) => {
            if (isHovered) onHover(index);
          },
        }),
        [dates.map(toSeconds), [...values]],
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: chartPixels }),
    );
    observer.observe(element);
    darkScheme.addEventListener('change', draw);
    const enter = (): void => {
      isHovered = true;
    };
    const leave = (): void => {
      isHovered = false;
    };
    const click = (): void => {
      const index = plot.current?.cursor.idx;
      const date = index === null || index === undefined ? undefined : dates[index];
      if (date !== undefined) picking.current(date);
    };
    element.addEventListener('pointerenter', enter);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('click', click);
    return () => {
      observer.disconnect();
      darkScheme.removeEventListener('change', draw);
      element.removeEventListener('pointerenter', enter);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('click', click);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [dates, values, kind, today, colorName]);
  useEffect(() => {
    const chart = plot.current;
    const date = at === undefined ? undefined : dates[at];
    if (chart && date !== undefined) chart.setCursor({ left: chart.valToPos(toSeconds(date), 'x'), top: 10 }, false);
  }, [at]);
  useEffect(() => plot.current?.redraw(false), [picked]);
  return <div class="plot" ref={host} />;
}

const toSeconds = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;
const daySeconds = 86_400;

interface PlotInput {
  width: number;
  element: HTMLElement;
  dates: readonly string[];
  kind: 'amount' | 'rate';
  axis: ValueAxis;
  today: string | undefined;
  colorName: string;
  pickedDate: () => string | undefined;
  onCursor: (index: number | undefined) => void;
}

function buildOptions({
  width,
  element,
  dates,
  kind,
  axis: { steps, format },
  today,
  colorName,
  pickedDate,
  onCursor,
}: PlotInput): uPlot.Options {
  const style = getComputedStyle(element);
  const colorOf = (name: string): string => resolveColor(element, name);
  const [color, line, soft] = [colorOf(colorName), colorOf('--line'), colorOf('--soft')];
  const font = `11px ${style.fontFamily}`;
  const axis = { stroke: soft, font, ticks: { show: false }, grid: { stroke: line, width: 1 } };
  return {
    width,
    height: chartPixels,
    legend: { show: false },
    // The strip of devices below has the same left and right edge.
    padding: [8, 0, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { range: [toSeconds(dates[0] ?? '') - daySeconds / 2, toSeconds(dates.at(-1) ?? '') + daySeconds / 2] },
      y: { range: (_, min, max) => rangeOf(kind, min, max) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        values: (_, ticks) => ticks.map(formatTick),
        splits: () => chooseDays(dates, width).map(toSeconds),
      },
      { ...axis, size: axisPixels, ...(steps ? { incrs: [...steps] } : {}), values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      kind === 'amount'
        ? { stroke: color, fill: color, width: 0, paths: barsOf(), points: { show: false } }
        : { stroke: color, width: 1.75, spanGaps: false, points: { show: true, size: 4, fill: color } },
    ],
    hooks: {
      draw: [
        (chart) => {
          if (today !== undefined) hatchDay(chart, today, soft);
          const date = pickedDate();
          if (date !== undefined) frameDay(chart, date, colorOf('--ink'));
        },
      ],
      setCursor: [(chart) => onCursor(chart.cursor.idx ?? undefined)],
    },
  };
}

function barsOf(): uPlot.Series.PathBuilder {
  const bars = uPlot.paths.bars?.({ size: [0.72, 26] });
  if (!bars) throw new Error('this build of uPlot draws no bars');
  return bars;
}

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const resolvedColors = new Map<string, string>();

/**
 * A canvas knows no custom properties, and `light-dark()` only as a computed colour. Each computation
 * makes the browser compute the styles of the whole page, so it is done once per colour and scheme.
 */
function resolveColor(element: HTMLElement, name: string): string {
  const key = `${name} ${darkScheme.matches}`;
  const known = resolvedColors.get(key);
  if (known !== undefined) return known;
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  resolvedColors.set(key, color);
  return color;
}

function rangeOf(kind: 'amount' | 'rate', min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  if (kind === 'amount') return [0, max === 0 ? 1 : max * 1.08];
  const margin = (max - min || Math.abs(max) || 1) * 0.15;
  return [min - margin, max + margin];
}

const formatTick = (seconds: number): string => formatDay(new Date(seconds * 1000).toISOString().slice(0, 10));

function dayBox(chart: uPlot, date: string): { left: number; width: number } {
  const from = chart.valToPos(toSeconds(date) - daySeconds / 2, 'x', true);
  return { left: from, width: chart.valToPos(toSeconds(date) + daySeconds / 2, 'x', true) - from };
}

function hatchDay(chart: uPlot, date: string, color: string): void {
  const { ctx, bbox } = chart;
  const { left, width } = dayBox(chart, date);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  const step = 5 * devicePixelRatio;
  for (let x = left - bbox.height; x < left + width; x += step) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}

function frameDay(chart: uPlot, date: string, color: string): void {
  const { ctx, bbox } = chart;
  const { left, width } = dayBox(chart, date);
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio * 1.5;
  ctx.strokeRect(left, bbox.top + 1, width, bbox.height - 2);
  ctx.restore();
}
