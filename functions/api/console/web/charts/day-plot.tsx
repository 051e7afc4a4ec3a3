// The drawing of a chart by day: the axes, the bars or the line, the hatching of today and the frame of
// the picked day.
import { useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { formatDay } from '../state/format.ts';
import { chooseDays } from './choose-days.ts';
import { PlotHost } from './plot-host.tsx';
import { barsOf, boxOf, buildAxis, buildValueAxis, chartPixels, hatch, resolveColor } from './plot-kit.ts';
import type { ValueAxis } from './value-axis.ts';
import { type ChartKind, chooseScale } from './value-scale.ts';

export interface DayPlotData {
  dates: readonly string[];
  values: readonly (number | null)[];
  kind: ChartKind;
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

export function DayPlot({ dates, values, kind, axis, today, colorName, picked, onPick, at, onHover }: DayPlotProps) {
  const pickedRef = useRef(picked);
  pickedRef.current = picked;
  const chosen = at === undefined ? undefined : dates[at];
  return (
    <PlotHost
      draw={(element, onCursor) => {
        const pickedDate = (): string | undefined => pickedRef.current;
        const input = { element, dates, values, kind, axis, today, colorName, pickedDate, onCursor };
        return new uPlot(buildOptions(input), [dates.map(toSeconds), [...values]], element);
      }}
      inputs={[dates, values, kind, today, colorName]}
      marks={[picked]}
      cursorSeconds={chosen === undefined ? undefined : toSeconds(chosen)}
      onHover={onHover}
      onClick={(index) => {
        const date = dates[index];
        if (date !== undefined) onPick(date);
      }}
    />
  );
}

const toSeconds = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;
const daySeconds = 86_400;

interface PlotInput {
  element: HTMLElement;
  dates: readonly string[];
  values: readonly (number | null)[];
  kind: ChartKind;
  axis: ValueAxis;
  today: string | undefined;
  colorName: string;
  pickedDate: () => string | undefined;
  onCursor: (index: number | undefined) => void;
}

function buildOptions({
  element,
  dates,
  values,
  kind,
  axis: valueAxis,
  today,
  colorName,
  pickedDate,
  onCursor,
}: PlotInput): uPlot.Options {
  const width = element.clientWidth;
  const colorOf = (name: string): string => resolveColor(element, name);
  const [color, soft] = [colorOf(colorName), colorOf('--soft')];
  const axis = buildAxis(element);
  const scale = chooseScale(kind, values, valueAxis);
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
      y: { range: [scale.min, scale.max] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        values: (_, ticks) => ticks.map(formatTick),
        splits: () => chooseDays(dates, width).map(toSeconds),
      },
      buildValueAxis(axis, scale, valueAxis),
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
          if (today !== undefined) hatch(chart, boxOf(chart, toSeconds(today), daySeconds), soft);
          const date = pickedDate();
          if (date !== undefined) frameDay(chart, date, colorOf('--ink'));
        },
      ],
      setCursor: [(chart) => onCursor(chart.cursor.idx ?? undefined)],
    },
  };
}

const formatTick = (seconds: number): string => formatDay(new Date(seconds * 1000).toISOString().slice(0, 10));

function frameDay(chart: uPlot, date: string, color: string): void {
  const { ctx, bbox } = chart;
  const { left, width } = boxOf(chart, toSeconds(date), daySeconds);
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio * 1.5;
  ctx.strokeRect(left, bbox.top + 1, width, bbox.height - 2);
  ctx.restore();
}
