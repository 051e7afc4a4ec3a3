// The charts of the demo: steps, sleep, resting heart rate and variability, and the scores below
// them.
import type { ApiSchemas } from '../../../docs-kit/browser/api-response.ts';
import { createElement } from '../../../docs-kit/browser/dom.ts';
import {
  describeChart,
  formatChartDay,
  renderBars,
  renderChartFigure,
  renderLegend,
  renderLine,
  type ValueTable,
} from './chart.ts';
import { chooseTicks } from './chart-scale.ts';
import type { LoadedDays } from './demo-api.ts';
import type { DemoDaily } from './demo-forms.ts';
import { type DemoMetric, variabilityMetrics } from './demo-metrics.ts';
import { getProviderName } from './provider-names.ts';
import { renderScoreSection } from './score-cards.ts';

const stages = [
  { metric: 'deep_sleep', name: 'Deep', className: 'stage-deep' },
  { metric: 'rem_sleep', name: 'REM', className: 'stage-rem' },
  { metric: 'light_sleep', name: 'Light', className: 'stage-light' },
  { metric: 'time_awake', name: 'Awake', className: 'stage-awake' },
] as const;
const numberFormat = new Intl.NumberFormat('en');
const formatThousands = (value: number): string => (value >= 1000 ? `${value / 1000}k` : String(value));

function formatHours(minutes: number): string {
  const totalMinutes = Math.round(minutes);
  return `${Math.floor(totalMinutes / 60)} h ${String(totalMinutes % 60).padStart(2, '0')}`;
}

const noDataText = 'no data';

export function renderDays({ daily, scores, history, metrics }: LoadedDays): HTMLElement[] {
  return [
    createElement(
      'section',
      { class: 'chart-grid', 'aria-label': 'Daily metrics' },
      renderStepsChart(daily),
      renderSleepChart(daily),
      renderLineChart(daily, metrics, 'resting_heart_rate', 'stroke-heart'),
      renderLineChart(daily, metrics, selectVariabilityMetric(daily), 'stroke-variability'),
    ),
    renderScoreSection({ scores, history, metrics }),
  ];
}

/**
 * Prefers the measure that scores use. The other one is a different measure and is never drawn on
 * the same line.
 */
function selectVariabilityMetric(daily: DemoDaily): DemoMetric {
  const [preferred, other] = variabilityMetrics;
  return getValues(daily, preferred).some((value) => value !== null) ? preferred : other;
}

/** One value or null per day. */
const getValues = ({ series, dates }: DemoDaily, metric: DemoMetric): readonly (number | null)[] =>
  series[metric] ?? dates.map(() => null);

function listSources(daily: DemoDaily, metric: DemoMetric): string[] {
  return daily.dates.map((_, day) => {
    const source = daily.sources?.[metric]?.[day];
    return source ? getProviderName(source.provider) : '';
  });
}

/** Leaves out the last day, which is today and not over yet. */
function computeMean(values: readonly (number | null)[]): number | null {
  const completeDays = values.slice(0, -1).filter((value) => value !== null);
  return completeDays.length === 0 ? null : completeDays.reduce((sum, value) => sum + value, 0) / completeDays.length;
}

function buildHeadline(
  mean: number | null,
  formatValue: (value: number) => string,
  unit: string,
): { value: string; unit: string } {
  return mean === null ? { value: 'Nothing yet', unit: '' } : { value: formatValue(mean), unit };
}

function describeMean(daily: DemoDaily, metric: DemoMetric): string {
  const dayCount = getValues(daily, metric)
    .slice(0, -1)
    .filter((value) => value !== null).length;
  if (dayCount === 0) return 'No values in this range';
  const sources = [...new Set(listSources(daily, metric).filter((name) => name !== ''))];
  const sourceText = sources.length > 0 ? `, from ${sources.join(' and ')}` : '';
  return `Mean of ${dayCount} whole ${dayCount === 1 ? 'day' : 'days'}${sourceText}`;
}

function describeDays(daily: DemoDaily, metric: DemoMetric, formatValue: (value: number) => string): string[] {
  const sources = listSources(daily, metric);
  const values = getValues(daily, metric);
  return daily.dates.map((date, day) => {
    const value = values[day] ?? null;
    if (value === null) return `${formatChartDay(date)}: ${noDataText}`;
    return `${formatChartDay(date)}: ${formatValue(value)}${sources[day] ? `, ${sources[day]}` : ''}`;
  });
}

function buildTable(
  daily: DemoDaily,
  metric: DemoMetric,
  unit: string,
  formatValue: (value: number) => string,
): ValueTable {
  const sources = listSources(daily, metric);
  const values = getValues(daily, metric);
  return {
    columns: ['Day', unit, 'Source'],
    rows: daily.dates.map((date, day) => [
      formatChartDay(date),
      formatCell(values[day], formatValue),
      sources[day] ?? '',
    ]),
  };
}

const formatCell = (value: number | null | undefined, formatValue: (value: number) => string): string =>
  value === null || value === undefined ? noDataText : formatValue(value);

function renderStepsChart(daily: DemoDaily): HTMLElement {
  const values = getValues(daily, 'steps');
  const mean = computeMean(values);
  const titles = describeDays(daily, 'steps', (value) => `${numberFormat.format(value)} steps`);
  return renderChartFigure({
    title: 'Steps',
    headline: buildHeadline(mean, (value) => numberFormat.format(Math.round(value)), 'a day'),
    note: describeMean(daily, 'steps'),
    draw: (width) =>
      renderBars({
        width,
        label: describeChart('Steps per day', titles),
        dates: daily.dates,
        segments: [{ values, className: 'fill-steps' }],
        ticks: chooseTicks(values, { minStep: 500 }),
        formatTick: formatThousands,
        titles,
      }),
    table: buildTable(daily, 'steps', 'Steps', (value) => numberFormat.format(value)),
  });
}

function renderSleepChart(daily: DemoDaily): HTMLElement {
  const asleep = getValues(daily, 'asleep');
  const minutesInBed = daily.dates.map((_, day) => {
    const parts = stages.map(({ metric }) => getValues(daily, metric)[day] ?? null);
    return parts.every((part) => part === null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  });
  const sources = listSources(daily, 'asleep');
  const meanAsleep = computeMean(asleep);
  const titles = describeDays(daily, 'asleep', (value) => `${formatHours(value)} asleep`);
  const hourTicks = chooseTicks(minutesInBed.map((minutes) => (minutes === null ? null : minutes / 60)));
  return renderChartFigure({
    title: 'Sleep',
    headline: buildHeadline(meanAsleep, formatHours, 'asleep a night'),
    note: describeMean(daily, 'asleep'),
    legend: renderLegend(stages),
    draw: (width) =>
      renderBars({
        width,
        label: describeChart('Sleep per night', titles),
        dates: daily.dates,
        segments: stages.map(({ metric, className }) => ({ values: getValues(daily, metric), className })),
        ticks: hourTicks.map((hour) => hour * 60),
        formatTick: (minutes) => `${minutes / 60} h`,
        titles: titles.map((title, day) =>
          (asleep[day] ?? null) === null
            ? title
            : `${title} (${stages.map(({ metric, name }) => `${name} ${formatHours(getValues(daily, metric)[day] ?? 0)}`).join(', ')})`,
        ),
      }),
    table: {
      columns: ['Night to', 'Asleep', ...stages.map(({ name }) => name), 'Source'],
      rows: daily.dates.map((date, day) => [
        formatChartDay(date),
        ...(['asleep', ...stages.map(({ metric }) => metric)] as const).map((metric) =>
          formatCell(getValues(daily, metric)[day], formatHours),
        ),
        sources[day] ?? '',
      ]),
    },
  });
}

function renderLineChart(
  daily: DemoDaily,
  metrics: readonly ApiSchemas['Metric'][],
  metric: DemoMetric,
  className: string,
): HTMLElement {
  const { display_name: title, unit } = metrics.find(({ id }) => id === metric) ?? { display_name: metric, unit: '' };
  const values = getValues(daily, metric);
  const mean = computeMean(values);
  const titles = describeDays(daily, metric, (value) => `${value} ${unit}`);
  return renderChartFigure({
    title,
    headline: buildHeadline(mean, (value) => String(Math.round(value)), unit),
    note: describeMean(daily, metric),
    draw: (width) =>
      renderLine({
        width,
        label: describeChart(`${title} per day`, titles),
        dates: daily.dates,
        values,
        ticks: chooseTicks(values, { startsAtZero: false, minStep: 2 }),
        formatTick: String,
        titles,
        className,
      }),
    table: buildTable(daily, metric, unit, String),
  });
}
