// One metric by day, with who measured below it.
import { changeQuery } from '../../address/address.ts';
import { DayChart } from '../../charts/day-chart.tsx';
import { SourceStrip } from '../../charts/source-strip.tsx';
import { axisOf } from '../../charts/value-axis.ts';
import { formatValue, growsDuringTheDay, nameOfDevice, nameOfMetric, sayDay } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import { type PersonDays, type ShownMetric, sourcesOf, valuesOf } from './measured-metrics.ts';
import type { PersonContext } from './person-state.ts';
import { nameWhy, readWhy } from './why-panel.tsx';

interface MetricChartProps {
  metric: ShownMetric;
  daily: PersonDays;
  context: PersonContext;
}

export function MetricChart({ metric, daily, context }: MetricChartProps) {
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
      colorName="--value"
      picked={why?.metric === metric.id ? why.date : undefined}
      onPick={(date) => changeQuery(nameWhy(metric.id, date))}
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
