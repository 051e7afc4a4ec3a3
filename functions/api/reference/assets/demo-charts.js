// The charts of the demo: steps, sleep, resting heart rate and variability, and the scores below
// them.
import { bars, chartFigure, dayName, legendOf, line, ticksFor } from './chart.js';
import { scoreSection } from './demo-scores.js';
import { element } from './dom.js';

const stages = [
  { metric: 'deep_sleep', name: 'Deep', className: 'stage-deep' },
  { metric: 'rem_sleep', name: 'REM', className: 'stage-rem' },
  { metric: 'light_sleep', name: 'Light', className: 'stage-light' },
  { metric: 'time_awake', name: 'Awake', className: 'stage-awake' },
];
const numbers = new Intl.NumberFormat('en');
const thousands = (value) => (value >= 1000 ? `${value / 1000}k` : String(value));

function hours(minutes) {
  const whole = Math.round(minutes);
  return `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')}`;
}

const words = (name) => name.replaceAll('_', ' ');
const missing = 'no data';

export function weekCharts({ daily, scores, history, metrics }) {
  return [
    element(
      'section',
      { class: 'charts-row', 'aria-label': 'Daily metrics' },
      stepsChart(daily),
      sleepChart(daily),
      lineChart(daily, metrics, 'resting_heart_rate', 'stroke-heart'),
      lineChart(daily, metrics, variabilityIn(daily), 'stroke-variability'),
    ),
    scoreSection({ scores, history, metrics }),
  ];
}

/**
 * Prefers the measure that scores use. The other one is a different measure and is never drawn on
 * the same line.
 */
function variabilityIn({ series }) {
  const asleep = 'sleep_heart_rate_variability';
  return series[asleep].some((value) => value !== null) ? asleep : 'heart_rate_variability';
}

function sourcesOf(daily, metric) {
  return daily.dates.map((_, day) => {
    const source = daily.sources?.[metric]?.[day];
    return source ? words(source.provider) : '';
  });
}

/** Leaves out the last day, which is today and not over yet. */
function meanOf(values) {
  const whole = values.slice(0, -1).filter((value) => value !== null);
  return whole.length === 0 ? null : whole.reduce((sum, value) => sum + value, 0) / whole.length;
}

function headlineOf(mean, text, unit) {
  return mean === null ? { value: 'Nothing yet', unit: '' } : { value: text(mean), unit };
}

function summary(daily, metric) {
  const days = daily.series[metric].slice(0, -1).filter((value) => value !== null).length;
  if (days === 0) return 'No values in this range';
  const sources = [...new Set(sourcesOf(daily, metric).filter((name) => name !== ''))];
  const from = sources.length > 0 ? `, from ${sources.join(' and ')}` : '';
  return `Mean of ${days} whole ${days === 1 ? 'day' : 'days'}${from}`;
}

function describe(daily, metric, text) {
  const sources = sourcesOf(daily, metric);
  return daily.series[metric].map((value, day) =>
    value === null
      ? `${dayName(daily.dates[day])}: ${missing}`
      : `${dayName(daily.dates[day])}: ${text(value)}${sources[day] ? `, ${sources[day]}` : ''}`,
  );
}

function tableOf(daily, metric, unit, text) {
  const sources = sourcesOf(daily, metric);
  return {
    columns: ['Day', unit, 'Source'],
    rows: daily.series[metric].map((value, day) => [
      dayName(daily.dates[day]),
      value === null ? missing : text(value),
      sources[day],
    ]),
  };
}

function stepsChart(daily) {
  const values = daily.series.steps;
  const mean = meanOf(values);
  const titles = describe(daily, 'steps', (value) => `${numbers.format(value)} steps`);
  return chartFigure({
    title: 'Steps',
    headline: headlineOf(mean, (value) => numbers.format(Math.round(value)), 'a day'),
    note: summary(daily, 'steps'),
    draw: (width) =>
      bars({
        width,
        label: `Steps per day. ${titles.join('; ')}`,
        dates: daily.dates,
        stacks: [{ values, className: 'fill-steps' }],
        ticks: ticksFor(values, { least: 500 }),
        tickText: thousands,
        titles,
      }),
    table: tableOf(daily, 'steps', 'Steps', numbers.format),
  });
}

function sleepChart(daily) {
  const inBed = daily.dates.map((_, day) => {
    const parts = stages.map(({ metric }) => daily.series[metric][day]);
    return parts.every((part) => part === null) ? null : parts.reduce((sum, part) => sum + (part ?? 0), 0);
  });
  const asleep = meanOf(daily.series.asleep);
  const titles = describe(daily, 'asleep', (value) => `${hours(value)} asleep`);
  const hourTicks = ticksFor(inBed.map((minutes) => (minutes === null ? null : minutes / 60)));
  return chartFigure({
    title: 'Sleep',
    headline: headlineOf(asleep, hours, 'asleep a night'),
    note: summary(daily, 'asleep'),
    legend: legendOf(stages),
    draw: (width) =>
      bars({
        width,
        label: `Sleep per night. ${titles.join('; ')}`,
        dates: daily.dates,
        stacks: stages.map(({ metric, className }) => ({ values: daily.series[metric], className })),
        ticks: hourTicks.map((hour) => hour * 60),
        tickText: (minutes) => `${minutes / 60} h`,
        titles: titles.map((title, day) =>
          daily.series.asleep[day] === null
            ? title
            : `${title} (${stages.map(({ metric, name }) => `${name} ${hours(daily.series[metric][day] ?? 0)}`).join(', ')})`,
        ),
      }),
    table: {
      columns: ['Night to', 'Asleep', ...stages.map(({ name }) => name), 'Source'],
      rows: daily.dates.map((date, day) => [
        dayName(date),
        ...['asleep', ...stages.map(({ metric }) => metric)].map((metric) => {
          const value = daily.series[metric][day];
          return value === null ? missing : hours(value);
        }),
        sourcesOf(daily, 'asleep')[day],
      ]),
    },
  });
}

function lineChart(daily, metrics, metric, className) {
  const { display_name: title, unit } = metrics.find(({ id }) => id === metric);
  const values = daily.series[metric];
  const mean = meanOf(values);
  const titles = describe(daily, metric, (value) => `${value} ${unit}`);
  return chartFigure({
    title,
    headline: headlineOf(mean, (value) => String(Math.round(value)), unit),
    note: summary(daily, metric),
    draw: (width) =>
      line({
        width,
        label: `${title} per day. ${titles.join('; ')}`,
        dates: daily.dates,
        values,
        ticks: ticksFor(values, { fromZero: false, least: 2 }),
        tickText: String,
        titles,
        className,
      }),
    table: tableOf(daily, metric, unit, String),
  });
}
