// The charts of the demo: steps, sleep, resting heart rate and variability, and the scores below
// them.

import { createElement } from '../../docs-kit/assets/dom.js';
import {
  chooseTicks,
  describeChart,
  formatDay,
  renderBars,
  renderChartFigure,
  renderLegend,
  renderLine,
} from './chart.js';
import { renderScoreSection } from './demo-scores.js';
import { getProviderName } from './provider-names.js';

const stages = [
  { metric: 'deep_sleep', name: 'Deep', className: 'stage-deep' },
  { metric: 'rem_sleep', name: 'REM', className: 'stage-rem' },
  { metric: 'light_sleep', name: 'Light', className: 'stage-light' },
  { metric: 'time_awake', name: 'Awake', className: 'stage-awake' },
];
const numberFormat = new Intl.NumberFormat('en');
const formatThousands = (value) => (value >= 1000 ? `${value / 1000}k` : String(value));

function formatHours(minutes) {
  const totalMinutes = Math.round(minutes);
  return `${Math.floor(totalMinutes / 60)} h ${String(totalMinutes % 60).padStart(2, '0')}`;
}

const noDataText = 'no data';

export function renderDays({ daily, scores, history, metrics }) {
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
function selectVariabilityMetric({ series }) {
  const preferredMetric = 'sleep_heart_rate_variability';
  return series[preferredMetric].some((value) => value !== null) ? preferredMetric : 'heart_rate_variability';
}

function listSources(daily, metric) {
  return daily.dates.map((_, day) => {
    const source = daily.sources?.[metric]?.[day];
    return source ? getProviderName(source.provider) : '';
  });
}

/** Leaves out the last day, which is today and not over yet. */
function computeMean(values) {
  const completeDays = values.slice(0, -1).filter((value) => value !== null);
  return completeDays.length === 0 ? null : completeDays.reduce((sum, value) => sum + value, 0) / completeDays.length;
}

function buildHeadline(mean, formatValue, unit) {
  return mean === null ? { value: 'Nothing yet', unit: '' } : { value: formatValue(mean), unit };
}

function describeMean(daily, metric) {
  const dayCount = daily.series[metric].slice(0, -1).filter((value) => value !== null).length;
  if (dayCount === 0) return 'No values in this range';
  const sources = [...new Set(listSources(daily, metric).filter((name) => name !== ''))];
  const sourceText = sources.length > 0 ? `, from ${sources.join(' and ')}` : '';
  return `Mean of ${dayCount} whole ${dayCount === 1 ? 'day' : 'days'}${sourceText}`;
}

function describeDays(daily, metric, formatValue) {
  const sources = listSources(daily, metric);
  return daily.series[metric].map((value, day) =>
    value === null
      ? `${formatDay(daily.dates[day])}: ${noDataText}`
      : `${formatDay(daily.dates[day])}: ${formatValue(value)}${sources[day] ? `, ${sources[day]}` : ''}`,
  );
}

function buildTable(daily, metric, unit, formatValue) {
  const sources = listSources(daily, metric);
  return {
    columns: ['Day', unit, 'Source'],
    rows: daily.series[metric].map((value, day) => [
      formatDay(daily.dates[day]),
      value === null ? noDataText : formatValue(value),
      sources[day],
    ]),
  };
}

function renderStepsChart(daily) {
  const values = daily.series.steps;
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
    table: buildTable(daily, 'steps', 'Steps', numberFormat.format),
  });
}

function renderSleepChart(daily) {
  const minutesInBed = daily.dates.map((_, day) => {
    const parts = stages.map(({ metric }) => daily.series[metric][day]);
    return parts.every((part) => part === null) ? null : parts.reduce((sum, part) => sum + (part ?? 0), 0);
  });
  const meanAsleep = computeMean(daily.series.asleep);
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
        segments: stages.map(({ metric, className }) => ({ values: daily.series[metric], className })),
        ticks: hourTicks.map((hour) => hour * 60),
        formatTick: (minutes) => `${minutes / 60} h`,
        titles: titles.map((title, day) =>
          daily.series.asleep[day] === null
            ? title
            : `${title} (${stages.map(({ metric, name }) => `${name} ${formatHours(daily.series[metric][day] ?? 0)}`).join(', ')})`,
        ),
      }),
    table: {
      columns: ['Night to', 'Asleep', ...stages.map(({ name }) => name), 'Source'],
      rows: daily.dates.map((date, day) => [
        formatDay(date),
        ...['asleep', ...stages.map(({ metric }) => metric)].map((metric) => {
          const value = daily.series[metric][day];
          return value === null ? noDataText : formatHours(value);
        }),
        listSources(daily, 'asleep')[day],
      ]),
    },
  });
}

function renderLineChart(daily, metrics, metric, className) {
  const { display_name: title, unit } = metrics.find(({ id }) => id === metric);
  const values = daily.series[metric];
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
