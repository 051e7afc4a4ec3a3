// Six small charts of what happened by hour.
import { useMemo } from 'preact/hooks';
import type { ConsoleSchemas } from '../../api/client.ts';
import { HourChart, type HourChartProps, type HourSeries } from '../../charts/hour-chart.tsx';
import { countAxis, shareAxis } from '../../charts/value-axis.ts';
import { formatNumber, formatPercent } from '../../state/format.ts';
import { words } from '../../words/en.ts';

type Series = ConsoleSchemas['OverviewSeries'];
type CountName = Exclude<keyof Series, 'from' | 'approximate'>;

interface ChartPlan extends Pick<HourChartProps, 'id' | 'name' | 'kind' | 'axis' | 'series'> {
  headline: string;
  note: string;
}

export function OverviewCharts({ series }: { series: Series }) {
  // What is drawn keeps its identity while nothing has changed.
  const plans = useMemo(() => planCharts(series), [series]);
  return (
    <div class="charts">
      {plans.map(({ headline, note, ...plan }) => (
        <HourChart
          key={plan.id}
          {...plan}
          fromMs={Date.parse(series.from)}
          hours={series.people.length}
          headline={<strong>{headline}</strong>}
        >
          <p class="muted chart-note">{note}</p>
        </HourChart>
      ))}
    </div>
  );
}

function planCharts(series: Series): ChartPlan[] {
  const { series: names, notes } = words.overview;
  const column = (id: CountName, name: string, colorName?: string): HourSeries => ({
    id,
    name,
    values: series[id],
    format: formatNumber,
    ...(colorName === undefined ? {} : { colorName }),
  });
  const people = series.people.findLast((value) => value !== null);
  const amount = (id: CountName, name: string, colorName: string, note: string, ...more: HourSeries[]): ChartPlan => ({
    id: `hours-${id}`,
    name,
    kind: 'amount',
    axis: countAxis,
    series: [column(id, name, colorName), ...more],
    headline: describeTotal([series[id]]),
    note,
  });
  return [
    {
      id: 'hours-people',
      name: names.people,
      kind: 'rate',
      axis: countAxis,
      series: [column('people', names.people, '--value')],
      headline: typeof people === 'number' ? formatNumber(people) : words.overview.nothingYet,
      note: notes.people,
    },
    amount('uploads', names.uploads, '--value', notes.uploads, column('records', names.records)),
    amount('events', names.events, '--value', notes.events),
    amount(
      'deliveries',
      names.deliveries,
      '--value',
      notes.deliveries,
      column('failed_attempts', names.failedAttempts, '--amber'),
    ),
    {
      ...amount('client_errors', names.clientErrors, '--amber', notes.errors),
      name: names.errors,
      series: [
        column('client_errors', names.clientErrors, '--amber'),
        column('server_errors', names.serverErrors, '--red'),
      ],
      headline: describeTotal([series.client_errors, series.server_errors]),
    },
    {
      id: 'hours-rate-limit',
      name: names.rateLimit,
      kind: 'amount',
      axis: shareAxis,
      series: [
        { ...column('rate_limit_use', names.use, '--value'), format: formatShare },
        column('requests', names.requests),
        column('limited', names.limited),
      ],
      headline: describeTotal([series.requests]),
      note: notes.rateLimit,
    },
  ];
}

const minShown = 0.01;
/** A share of less than a percent is not nothing. */
const formatShare = (share: number): string =>
  share > 0 && share < minShown ? `< ${formatPercent(minShown)}` : formatPercent(share);

function describeTotal(lists: readonly (readonly (number | null)[])[]): string {
  const known = lists.flat().filter((value) => value !== null);
  if (known.length === 0) return words.overview.nothingYet;
  return words.overview.total(formatNumber(known.reduce((sum, value) => sum + value, 0)));
}
