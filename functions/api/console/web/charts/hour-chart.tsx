// Counts by hour: bars for a day, lines for longer ranges. A missing hour is a gap, and the current
// hour is hatched, because it is not over.
import type { ComponentChildren } from 'preact';
import uPlot from 'uplot';
import { DataTable } from '../parts/table.tsx';
import { formatHour } from '../state/format.ts';
import { words } from '../words/en.ts';
import { ChartFrame } from './chart-frame.tsx';
import { chooseHours } from './choose-days.ts';
import { PlotHost } from './plot-host.tsx';
import { barsOf, boxOf, buildAxis, buildValueAxis, chartPixels, hatch, resolveColor } from './plot-kit.ts';
import type { ValueAxis } from './value-axis.ts';
import { type ChartKind, chooseScale } from './value-scale.ts';

export interface HourSeries {
  id: string;
  name: string;
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** The custom property of its colour; a series without one is in the table only. */
  colorName?: string;
}

export interface HourChartProps {
  id: string;
  name: string;
  kind: ChartKind;
  /** The start of the first hour, in milliseconds. */
  fromMs: number;
  hours: number;
  axis: ValueAxis;
  series: readonly HourSeries[];
  headline: ComponentChildren;
  children?: ComponentChildren;
}

const hourMs = 3_600_000;
const hourSeconds = hourMs / 1000;
/** More bars than this are too thin to be seen. */
const maxBars = 48;

export function HourChart({ id, name, kind, axis, fromMs, hours, series, headline, children }: HourChartProps) {
  const startOf = (at: number): Date => new Date(fromMs + at * hourMs);
  const valueAt = ({ values, format }: HourSeries, at: number): string => {
    const value = values[at];
    return value === null || value === undefined ? words.chart.unknownHour : format(value);
  };
  const describe = (at: number): string => {
    const readings = series.map((each) => words.chart.named(each.name, valueAt(each, at)));
    return words.chart.reading(nameHour(startOf(at), at === hours - 1), readings.join(', '));
  };
  return (
    <ChartFrame
      id={id}
      name={name}
      count={hours}
      help={words.chart.hourKeys(name)}
      noneChosen={words.chart.noHourChosen}
      describe={describe}
      headline={headline}
      table={() => (
        <DataTable
          caption={words.chart.hourTableOf(name)}
          rows={Array.from({ length: hours }, (_none, at) => hours - 1 - at)}
          keyOf={String}
          columns={[
            { id: 'hour', name: words.chart.hour, cell: (at) => nameHour(startOf(at), at === hours - 1) },
            ...series.map((each) => ({
              id: each.id,
              name: each.name,
              isNumber: true,
              cell: (at: number) => valueAt(each, at),
            })),
          ]}
        />
      )}
      plot={(at, onHover) => (
        <PlotHost
          draw={(element, onCursor) => drawHours(element, { kind, axis, fromMs, hours, series, onCursor })}
          inputs={[fromMs, hours, kind, series]}
          cursorSeconds={at === undefined ? undefined : middleOf(fromMs, at)}
          onHover={onHover}
        />
      )}
    >
      {children}
    </ChartFrame>
  );
}

const nameHour = (start: Date, isCurrent: boolean): string =>
  isCurrent ? words.chart.hourSoFar(formatHour(start)) : formatHour(start);

const middleOf = (fromMs: number, at: number): number => (fromMs + (at + 0.5) * hourMs) / 1000;

type DrawInput = Pick<HourChartProps, 'kind' | 'axis' | 'fromMs' | 'hours' | 'series'> & {
  onCursor: (index: number | undefined) => void;
};

function drawHours(element: HTMLElement, { kind, axis: valueAxis, fromMs, hours, series, onCursor }: DrawInput): uPlot {
  const drawn = series.filter(({ colorName }) => colorName !== undefined);
  const axis = buildAxis(element);
  const width = element.clientWidth;
  const soft = resolveColor(element, '--soft');
  const times = Array.from({ length: hours }, (_none, at) => middleOf(fromMs, at));
  const scale = chooseScale(
    kind,
    drawn.flatMap(({ values }) => [...values]),
    valueAxis,
  );
  const options: uPlot.Options = {
    width,
    height: chartPixels,
    legend: { show: false },
    padding: [8, 0, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { range: [fromMs / 1000, fromMs / 1000 + hours * hourSeconds] },
      y: { range: [scale.min, scale.max] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        splits: () => listNamedHours(fromMs, hours, width),
        values: (_, ticks) =>
          ticks.map((seconds) => formatHour(new Date(seconds * 1000), hours > maxBars ? 'day' : 'clock')),
      },
      buildValueAxis(axis, scale, valueAxis),
    ],
    series: [
      {},
      ...drawn.map(({ colorName = '' }, at): uPlot.Series => {
        const color = resolveColor(element, colorName);
        return at === 0 && kind === 'amount' && hours <= maxBars
          ? { stroke: color, fill: color, width: 0, paths: barsOf(), points: { show: false } }
          : {
              stroke: color,
              width: 1.5,
              spanGaps: false,
              points: { show: true, size: hours > maxBars ? 2 : 4, fill: color },
              // The second of two lines differs in more than its colour.
              ...(at === 0 ? {} : { dash: [4, 3] }),
            };
      }),
    ],
    hooks: {
      draw: [(chart) => hatch(chart, boxOf(chart, times.at(-1) ?? 0, hourSeconds), soft)],
      setCursor: [(chart) => onCursor(chart.cursor.idx ?? undefined)],
    },
  };
  return new uPlot(options, [times, ...drawn.map(({ values }) => [...values])], element);
}

/** Hours of a day, or the midnights of the reader's days, in seconds. */
function listNamedHours(fromMs: number, hours: number, width: number): number[] {
  const startOf = (hour: number): number => fromMs + hour * hourMs;
  const all = Array.from({ length: hours }, (_none, hour) => hour);
  const candidates = hours > maxBars ? all.filter((hour) => new Date(startOf(hour)).getHours() === 0) : all;
  return chooseHours(candidates, hours, width).map((hour) => startOf(hour) / 1000);
}
