// What all time series share: colours on a canvas, the range of the vertical axis, bars, and the
// hatching of what is not over.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisPixels } from './choose-days.ts';
import type { ValueAxis } from './value-axis.ts';
import type { ValueScale } from './value-scale.ts';

export const chartPixels = 120;

export const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const resolvedColors = new Map<string, string>();

/**
 * A canvas knows no custom properties, and `light-dark()` only as a computed colour. Each computation
 * makes the browser compute the styles of the whole page, so it is done once per colour and scheme.
 */
export function resolveColor(element: HTMLElement, name: string): string {
  const key = `${name} ${darkScheme.matches}`;
  const known = resolvedColors.get(key);
  if (known !== undefined) return known;
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  resolvedColors.set(key, color);
  return color;
}

/** The vertical axis: its scale ends at ticks, so that the bounds can be read. */
export function buildValueAxis(base: uPlot.Axis, { ticks, decimals }: ValueScale, { format }: ValueAxis): uPlot.Axis {
  return {
    ...base,
    size: axisPixels,
    splits: () => [...ticks],
    values: (_, values) => values.map((value) => format(value, decimals)),
  };
}

export function barsOf(): uPlot.Series.PathBuilder {
  const bars = uPlot.paths.bars?.({ size: [0.72, 26] });
  if (!bars) throw new Error('this build of uPlot draws no bars');
  return bars;
}

export function buildAxis(element: HTMLElement): uPlot.Axis {
  const { fontFamily } = getComputedStyle(element);
  return {
    stroke: resolveColor(element, '--soft'),
    font: `11px ${fontFamily}`,
    ticks: { show: false },
    grid: { stroke: resolveColor(element, '--line'), width: 1 },
  };
}

/** The box of a period around its middle, in pixels of the canvas. */
export function boxOf(chart: uPlot, middle: number, seconds: number): { left: number; width: number } {
  const left = chart.valToPos(middle - seconds / 2, 'x', true);
  return { left, width: chart.valToPos(middle + seconds / 2, 'x', true) - left };
}

export function hatch(chart: uPlot, { left, width }: { left: number; width: number }, color: string): void {
  const { ctx, bbox } = chart;
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
