// One metric by day: bars from zero for amounts, a line with gaps for rates. Missing is a gap, and
// today is hatched, because it is not over.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { copyText, type RequestSample, renderSample } from '../parts/copy.tsx';
import { DataTable } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { formatDay } from '../state/format.ts';
import { words } from '../words/en.ts';
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
  const isTable = useSignal(false);
  const at = useSignal<number | undefined>(undefined);
  const spoken = at.value === undefined ? '' : describeDay(dates[at.value], values[at.value], format);
  const moveTo = (next: number): void => {
    at.value = Math.max(0, Math.min(dates.length - 1, next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const act = keyActs[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const keyActs: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => moveTo((at.value ?? dates.length) - 1),
    ArrowRight: () => moveTo((at.value ?? -1) + 1),
    Home: () => moveTo(0),
    End: () => moveTo(dates.length - 1),
    Enter: () => {
      const date = at.value === undefined ? undefined : dates[at.value];
      if (date !== undefined) onPick(date);
    },
    t: () => {
      isTable.value = !isTable.value;
    },
    c: () => void copyText(renderSample(sample, 'curl')).then((isCopied) => isCopied && showToast(words.chart.copied)),
  };
  return (
    <figure class="chart" aria-labelledby={`${id}-name`}>
      <figcaption>
        <h3 id={`${id}-name`}>{name}</h3>
        <div class="chart-headline">{headline}</div>
        <div class="choices">
          <button
            type="button"
            aria-pressed={isTable.value}
            onClick={() => {
              isTable.value = !isTable.value;
            }}
          >
            {words.chart.table}
          </button>
          <button type="button" onClick={keyActs['c']}>
            {words.chart.request}
          </button>
        </div>
      </figcaption>
      {isTable.value ? (
        <DayTable name={name} dates={dates} values={values} format={format} {...(sourceOf ? { sourceOf } : {})} />
      ) : (
        <div
          class="chart-area"
          role="slider"
          tabIndex={0}
          aria-label={words.chart.keys(name)}
          aria-valuemin={0}
          aria-valuemax={dates.length - 1}
          aria-valuenow={at.value ?? dates.length - 1}
          aria-valuetext={spoken === '' ? words.chart.noDayChosen : spoken}
          onKeyDown={onKeyDown}
        >
          <DayPlot
            {...props}
            at={at.value}
            onHover={(day) => {
              at.value = day;
            }}
          />
        </div>
      )}
      <p class="chart-reading">{spoken}</p>
      {children}
    </figure>
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
