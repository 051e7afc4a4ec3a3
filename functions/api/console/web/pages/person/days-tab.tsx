// The person's days, one chart for each metric that has a value, with who measured below it. A click
// on a day explains its value next to the charts.
import { address, changeQuery, environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { DayChart } from '../../charts/day-chart.tsx';
import { SourceStrip } from '../../charts/source-strip.tsx';
import { axisOf } from '../../charts/value-axis.ts';
import { Panel } from '../../parts/panel.tsx';
import { useMetricCatalog } from '../../state/catalog.ts';
import { formatValue, growsDuringTheDay, nameOfDevice, nameOfMetric, sayDay } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';
import { RangeSwitch } from './range-switch.tsx';
import { WhyPanel } from './why-panel.tsx';

type Daily = Schemas['Daily'];
type Metric = Schemas['Metric'];

export function DaysTab({ context }: { context: PersonContext }) {
  const { person, range } = context;
  const daily = useResource(
    `daily ${environment.value} ${person.id} ${range.from} ${range.to}`,
    () =>
      unwrap(
        v1.GET('/v1/users/{id}/daily', {
          params: {
            path: { id: person.id },
            query: { from_date: range.from, to_date: range.to, include_sources: true },
          },
        }),
      ),
    { isLive: true },
  );
  const catalog = useMetricCatalog();
  const why = readWhy();
  return (
    <>
      <RangeSwitch context={context} />
      <div class={why ? 'with-why open' : 'with-why'}>
        <Panel of={catalog} minHeight="40rem">
          {({ metrics }) => (
            <Panel
              of={daily}
              minHeight="40rem"
              isEmpty={(data) => listMeasured(metrics, data).length === 0}
              empty={words.person.days.empty}
            >
              {(data) => (
                <div class="charts">
                  {listMeasured(metrics, data).map((metric) => (
                    <MetricChart key={metric.id} metric={metric} daily={data} context={context} />
                  ))}
                </div>
              )}
            </Panel>
          )}
        </Panel>
        {why && <WhyPanel context={context} metric={why.metric} date={why.date} />}
      </div>
    </>
  );
}

/** `why=steps:2026-11-15` in the address. */
export function readWhy(): { metric: string; date: string } | undefined {
  const [metric, date] = (address.value.query['why'] ?? '').split(':');
  return metric && date ? { metric, date } : undefined;
}

const columnsOf = <Value,>(columns: object | undefined, id: string): readonly Value[] =>
  Object.entries(columns ?? {}).find(([name]) => name === id)?.[1] ?? [];

const valuesOf = (daily: Daily, id: string): readonly (number | null)[] => columnsOf(daily.series, id);
const sourcesOf = (daily: Daily, id: string): readonly (Schemas['SessionSource'] | null)[] =>
  columnsOf(daily.sources, id);

const listMeasured = (metrics: readonly Metric[], daily: Daily): Metric[] =>
  metrics.filter(({ id }) => valuesOf(daily, id).some((value) => value !== null));

interface MetricChartProps {
  metric: Metric;
  daily: Daily;
  context: PersonContext;
}

function MetricChart({ metric, daily, context }: MetricChartProps) {
  const { person, today, devices, marks } = context;
  const values = valuesOf(daily, metric.id);
  const sources = sourcesOf(daily, metric.id);
  const deviceIds = daily.dates.map((_, at) => sources[at]?.device_id ?? null);
  const format = (value: number): string => formatValue(value, metric);
  const last = values.findLastIndex((value) => value !== null);
  const lastDate = daily.dates[last];
  const why = readWhy();
  const query = `types=${metric.id}&from_date=${daily.from_date}&to_date=${daily.to_date}`;
  const deviceNames = new Map(devices.map((device) => [device.id, nameOfDevice(device)]));
  return (
    <DayChart
      id={`metric-${metric.id}`}
      name={nameOfMetric(metric)}
      dates={daily.dates}
      values={values}
      kind={metric.aggregation === 'sum' ? 'amount' : 'rate'}
      format={format}
      axis={axisOf(metric)}
      today={daily.dates.includes(today) ? today : undefined}
      colorName={metric.aggregation === 'sum' ? '--accent' : '--blue'}
      picked={why?.metric === metric.id ? why.date : undefined}
      onPick={(date) => changeQuery({ why: `${metric.id}:${date}` })}
      sample={{ method: 'GET', path: `/v1/users/${person.id}/daily?${query}` }}
      sourceOf={(at) => deviceNames.get(deviceIds[at] ?? '') ?? words.none}
      headline={
        <>
          <strong>{format(values[last] ?? 0)}</strong>{' '}
          <span class="muted">{lastDate !== undefined && sayDay(lastDate, today, growsDuringTheDay(metric))}</span>
        </>
      }
    >
      <SourceStrip
        dates={daily.dates}
        deviceIds={deviceIds}
        devices={devices.map((device) => ({ id: device.id, name: nameOfDevice(device), mark: marks.get(device.id) }))}
      />
    </DayChart>
  );
}
