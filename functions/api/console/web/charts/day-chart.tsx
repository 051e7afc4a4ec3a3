// One metric by day: bars from zero for amounts, a line with gaps for rates. Missing is a gap, and
// today is hatched, because it is not over.
import type { ComponentChildren } from 'preact';
import { copyText, type RequestSample, renderSample } from '../parts/copy.tsx';
import { DataTable } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { formatDay } from '../state/format.ts';
import { words } from '../words/en.ts';
import { ChartFrame } from './chart-frame.tsx';
import { DayPlot, type DayPlotData } from './day-plot.tsx';

export interface DayChartProps extends DayPlotData {
  id: string;
  name: string;
  format: (value: number) => string;
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
      plot={(at, onHover) => <DayPlot {...props} at={at} onHover={onHover} />}
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
