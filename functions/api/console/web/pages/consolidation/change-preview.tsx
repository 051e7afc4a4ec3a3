// What a change would do: how many of the last days, metric by metric, and one metric drawn.
import { useSignal } from '@preact/signals';
import { address } from '../../address/address.ts';
import type { Schemas } from '../../api/client.ts';
import { BeforeAfter } from '../../charts/before-after.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { useMetricCatalog } from '../../state/catalog.ts';
import { formatDay, formatNumber, formatValue, nameOfMetric } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import type { Preview } from './request-preview.ts';

type PreviewedMetric = Preview['metrics'][number];

const texts = words.consolidation.preview;

interface ChangePreviewProps {
  preview: Preview;
  /** The change in words, as the beginning of the sentence that says what it would do. */
  condition: string;
}

/** A metric of the preview, in words and formats of its own. */
interface ShownMetric extends PreviewedMetric {
  name: string;
  kind: 'amount' | 'rate';
  format: (value: number) => string;
}

export function ChangePreview({ preview, condition }: ChangePreviewProps) {
  const catalog = useMetricCatalog();
  return (
    <section aria-live="polite" class="preview">
      <PreviewSummary preview={preview} condition={condition} />
      {preview.days_changed > 0 && (
        <Panel of={catalog} minHeight="16rem">
          {({ metrics }) => <ChangedMetrics preview={preview} condition={condition} catalog={metrics} />}
        </Panel>
      )}
    </section>
  );
}

interface ChangedMetricsProps extends ChangePreviewProps {
  catalog: readonly Schemas['Metric'][];
}

function ChangedMetrics({ preview, condition, catalog }: ChangedMetricsProps) {
  const picked = useSignal(address.peek().query['metric']);
  const { dates } = preview;
  const metrics = preview.metrics.map((metric) => toShownMetric(metric, catalog));
  const drawn = metrics.find(({ metric }) => metric === picked.value) ?? metrics[0];
  return (
    <>
      <DataTable
        caption={texts.metrics}
        rows={metrics}
        keyOf={({ metric }) => metric}
        columns={[
          {
            id: 'metric',
            name: texts.metric,
            cell: (metric) => (
              <>
                <button
                  type="button"
                  class="link-button"
                  aria-pressed={metric === drawn}
                  onClick={() => {
                    picked.value = metric.metric;
                  }}
                >
                  {metric.name}
                </button>
                {listNotes(metric).map((note) => (
                  <div key={note} class="muted small">
                    {note}
                  </div>
                ))}
              </>
            ),
          },
          {
            id: 'days',
            name: texts.daysChanged,
            isNumber: true,
            cell: ({ days_changed }) => texts.daysOf(days_changed, dates.length),
          },
          {
            id: 'mean',
            name: texts.mean,
            isNumber: true,
            cell: ({ mean_change, format }) => (mean_change === null ? words.none : format(mean_change)),
          },
          { id: 'largest', name: texts.largest, isNumber: true, cell: writeLargest },
        ]}
      />
      {drawn && <DrawnMetric metric={drawn} dates={dates} condition={condition} />}
    </>
  );
}

/** The first sentence of a preview. */
export const PreviewSummary = ({ preview: { dates, days_changed: days }, condition }: ChangePreviewProps) => (
  <p>{days === 0 ? texts.noChange(condition, dates.length) : texts.days(condition, days, dates.length)}</p>
);

function toShownMetric(previewed: PreviewedMetric, catalog: readonly Schemas['Metric'][]): ShownMetric {
  const metric = catalog.find(({ id }) => id === previewed.metric);
  return {
    ...previewed,
    name: metric ? nameOfMetric(metric) : previewed.metric,
    kind: metric?.aggregation === 'sum' ? 'amount' : 'rate',
    format: (value) => (metric ? formatValue(value, metric) : formatNumber(value)),
  };
}

const listNotes = ({ days_lost, days_gained }: PreviewedMetric): string[] => [
  ...(days_lost === 0 ? [] : [texts.lost(days_lost)]),
  ...(days_gained === 0 ? [] : [texts.gained(days_gained)]),
];

const findLargest = ({ largest_change: largest, format }: ShownMetric) =>
  largest ? { change: format(Math.abs(largest.after - largest.before)), day: formatDay(largest.date) } : undefined;

const writeLargest = (metric: ShownMetric): string => {
  const largest = findLargest(metric);
  return largest ? texts.largestOn(largest.change, largest.day) : words.none;
};

interface DrawnMetricProps {
  metric: ShownMetric;
  dates: readonly string[];
  condition: string;
}

function DrawnMetric({ metric, dates, condition }: DrawnMetricProps) {
  const { name, kind, format, before, after, mean_change: mean } = metric;
  const sentence = texts.change({
    condition,
    metric: name,
    days: metric.days_changed,
    of: dates.length,
    mean: mean === null ? undefined : format(mean),
    largest: findLargest(metric),
    notes: listNotes(metric),
  });
  return (
    <>
      <p>{sentence}</p>
      <BeforeAfter label={sentence} dates={dates} before={before} after={after} kind={kind} format={format} />
      <details>
        <summary>{texts.dayByDay}</summary>
        <ChangedDays metric={metric} dates={dates} />
      </details>
    </>
  );
}

const ChangedDays = ({ metric, dates }: { metric: ShownMetric; dates: readonly string[] }) => {
  const write = (value: number | null): string => (value === null ? words.chart.missing : metric.format(value));
  return (
    <DataTable
      caption={words.consolidation.beforeAfter(metric.name)}
      rows={dates
        .map((date, at) => ({ date, before: metric.before[at] ?? null, after: metric.after[at] ?? null }))
        .filter(({ before, after }) => before !== after)}
      keyOf={({ date }) => date}
      columns={[
        { id: 'day', name: words.chart.day, cell: ({ date }) => formatDay(date, 'long') },
        { id: 'before', name: words.consolidation.before, isNumber: true, cell: ({ before }) => write(before) },
        { id: 'after', name: words.consolidation.after, isNumber: true, cell: ({ after }) => write(after) },
      ]}
    />
  );
};
