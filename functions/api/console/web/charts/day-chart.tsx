// One metric by day: bars from zero for amounts, a line with gaps for rates. Missing is a gap, and
// today is hatched, because it is not over.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { copyText, type RequestSample, renderSample } from '../parts/copy.tsx';
import { DataTable } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { formatDay } from '../state/format.ts';
import { words } from '../words/en.ts';
import { ChartFrame } from './chart-frame.tsx';
import { PlotHost } from './plot-host.tsx';
import {
  barsOf,
  boxOf,
  buildAxis,
  type ChartKind,
  chartPixels,
  chooseStep,
  hatch,
  rangeOf,
  resolveColor,
} from './plot-kit.ts';

export interface DayChartProps {
  id: string;
  name: string;
  dates: readonly string[];
  values: readonly (number | null)[];
  kind: ChartKind;
  format: (value: number) => string;
  /** The day that is not over, if it is in the range. */
  today: string | undefined;
  /** The custom property of the chart's colour. */
  colorName: string;
  picked: string | undefined;
  onPick: (date: string) => void;
  /** The request behind the chart. */
  sample: RequestSample;
  /** What the headline and the strip below show. */
  headline: ComponentChildren;
  children?: ComponentChildren;
  sourceOf?: (at: number) => string;
}

export function DayChart(props: DayChartProps) {
  const { id, name, dates, values, format, onPick, sample, headline, children, sourceOf } = props;
  const copyRequest = (): void =>
    void copyText(renderSample(sample, 'curl')).then((isCopied) => isCopied && showToast(words.chart.copied));
  const pickAt = (at: number | undefined): void => {
    const date = at === undefined ? undefined : dates[at];
    if (date !== undefined) onPick(date);
  };
  return (
    <ChartFrame
      id={id}
      name={name}
      count={dates.length}
      help={words.chart.keys(name)}
      noneChosen={words.chart.noDayChosen}
      describe={(at) => describeDay(dates[at], values[at], format)}
      headline={headline}
      buttons={
        <button type="button" onClick={copyRequest}>
          {words.chart.request}
        </button>
      }
      keys={{ Enter: pickAt, c: copyRequest }}
      table={() => (
        <DayTable name={name} dates={dates} values={values} format={format} {...(sourceOf ? { sourceOf } : {})} />
      )}
      plot={(at, onHover) => <Plot {...props} at={at} onHover={onHover} onPickAt={pickAt} />}
    >
      {children}
    </ChartFrame>
  );
}

const describeDay = (
  date: string | undefined,
  value: number | null | undefined,
  format: (value: number) => string,
): string =>
  date === undefined
    ? ''
    : words.chart.reading(
        formatDay(date, 'long'),
        value === null || value === undefined ? words.chart.missing : format(value),
      );

const DayTable = ({
  name,
  dates,
  values,
  format,
  sourceOf,
}: Pick<DayChartProps, 'name' | 'dates' | 'values' | 'format' | 'sourceOf'>) => (
  <DataTable
    caption={words.chart.tableOf(name)}
    rows={dates.map((date, at) => ({ date, at })).reverse()}
    keyOf={({ date }) => date}
    columns={[
      { id: 'day', name: words.chart.day, cell: ({ date }) => formatDay(date, 'long') },
      {
        id: 'value',
        name,
        isNumber: true,
        cell: ({ at }) => {
          const value = values[at];
          return value === null || value === undefined ? words.chart.missing : format(value);
        },
      },
      ...(sourceOf ? [{ id: 'source', name: words.chart.source, cell: ({ at }: { at: number }) => sourceOf(at) }] : []),
    ]}
  />
);

interface PlotProps extends DayChartProps {
  at: number | undefined;
  onHover: (at: number | undefined) => void;
  onPickAt: (at: number) => void;
}

function Plot({ dates, values, kind, format, today, colorName, picked, at, onHover, onPickAt }: PlotProps) {
  const pickedRef = useRef(picked);
  pickedRef.current = picked;
  const chosen = at === undefined ? undefined : dates[at];
  return (
    <PlotHost
      draw={(element, onCursor) => {
        const pickedDate = (): string | undefined => pickedRef.current;
        const input = { element, dates, kind, format, today, colorName, pickedDate, onCursor };
        return new uPlot(buildOptions(input), [dates.map(toSeconds), [...values]], element);
      }}
      inputs={[dates, values, kind, today, colorName]}
      marks={[picked]}
      cursorSeconds={chosen === undefined ? undefined : toSeconds(chosen)}
      onHover={onHover}
      onClick={onPickAt}
    />
  );
}

const toSeconds = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;
const daySeconds = 86_400;

interface PlotInput {
  element: HTMLElement;
  dates: readonly string[];
  kind: ChartKind;
  format: (value: number) => string;
  today: string | undefined;
  colorName: string;
  pickedDate: () => string | undefined;
  onCursor: (index: number | undefined) => void;
}

function buildOptions({
  element,
  dates,
  kind,
  format,
  today,
  colorName,
  pickedDate,
  onCursor,
}: PlotInput): uPlot.Options {
  const width = element.clientWidth;
  const colorOf = (name: string): string => resolveColor(element, name);
  const [color, soft] = [colorOf(colorName), colorOf('--soft')];
  const axis = buildAxis(element);
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
        splits: () => chooseDays(dates, width),
      },
      { ...axis, size: 52, values: (_, ticks) => ticks.map(format) },
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

/** Few enough days that their names do not touch, counted from the last. */
function chooseDays(dates: readonly string[], width: number): number[] {
  const step = chooseStep(dates.length, width);
  return dates.filter((_, at) => (dates.length - 1 - at) % step === 0).map(toSeconds);
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
