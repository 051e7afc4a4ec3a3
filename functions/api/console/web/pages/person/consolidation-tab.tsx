// Which devices count, metric by metric, and what a change would do before it is saved.
import { useSignal } from '@preact/signals';
import { address, changeQuery, environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { BeforeAfter } from '../../charts/before-after.tsx';
import { Field } from '../../parts/form.tsx';
import { FailureNote, Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
import { useMetricCatalog } from '../../state/catalog.ts';
import { formatDay, formatNumber } from '../../state/format.ts';
import { formatValue } from '../../state/format-value.ts';
import { nameOfMetric } from '../../state/metric-name.ts';
import { useResource } from '../../state/resource.ts';
import { hasRole, valueRoles } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import type { Person, PersonContext } from './person-state.ts';
import { followChange, RebuildProgress, type SavedChange } from './rebuild-progress.tsx';

type Setting = Schemas['ConsolidatedMetric'];
type Entry = Schemas['ConsolidationEntry'];
type Patch = Schemas['ConsolidationPatch'];
type Preview = Schemas['ConsolidationPreview']['data'];
type Method = Schemas['ConsolidationMethod'];

export function ConsolidationTab({ context: { person } }: { context: PersonContext }) {
  const saved = useSignal<{ key: string; change: SavedChange } | undefined>(undefined);
  const params = { path: { id: person.id } };
  const loaded = useResource(`consolidation ${environment.value} ${person.id}`, async () => {
    const [settings, catalog] = await Promise.all([
      unwrap(v1.GET('/v1/users/{id}/consolidation', { params })),
      unwrap(v1.GET('/v1/consolidation/catalog')),
    ]);
    return { settings, catalog };
  });
  return (
    <Panel of={loaded} minHeight="20rem">
      {({ settings, catalog }) => {
        const chosen = address.value.query['metric'];
        const setting = settings.metrics.find(({ key }) => key === chosen) ?? settings.metrics[0];
        const entry = catalog.metrics.find(({ key }) => key === setting?.key);
        return (
          <>
            <Field label={words.consolidation.metric}>
              <select value={setting?.key} onChange={(event) => changeQuery({ metric: event.currentTarget.value })}>
                {settings.metrics.map(({ key, overridden }) => (
                  <option key={key} value={key}>
                    {nameOfSetting(catalog, key)}
                    {overridden ? ` (${words.consolidation.changed})` : ''}
                  </option>
                ))}
              </select>
            </Field>
            {setting && entry && (
              <SettingForm
                key={`${setting.key} ${JSON.stringify(setting)}`}
                person={person}
                setting={setting}
                entry={entry}
                onSave={async (change) => {
                  await loaded.reload();
                  saved.value = { key: setting.key, change };
                }}
              />
            )}
            {saved.value && saved.value.key === setting?.key && (
              <RebuildProgress key={setting.key} personId={person.id} change={saved.value.change} />
            )}
          </>
        );
      }}
    </Panel>
  );
}

const nameOfSetting = (catalog: Schemas['ConsolidationCatalog'], key: string): string => {
  const entry = catalog.metrics.find((each) => each.key === key);
  return entry ? nameOfMetric(entry) : key;
};

interface SettingFormProps {
  person: Person;
  setting: Setting;
  entry: Entry;
  onSave: (change: SavedChange) => Promise<void>;
}

function SettingForm({ person, setting, entry, onSave }: SettingFormProps) {
  const method = useSignal<Method>(setting.method);
  const providers = useSignal<Readonly<Record<string, boolean>>>(
    Object.fromEntries(setting.providers.map(({ provider, enabled }) => [provider, enabled])),
  );
  const preview = useSignal<Preview | undefined>(undefined);
  const { isActing, failure, run } = useAction();
  const changed = setting.providers.filter(({ provider, enabled }) => providers.value[provider] !== enabled);
  const isChanged = method.value !== setting.method || changed.length > 0;
  const canSave = hasRole(valueRoles);
  const patch: Patch = {
    metrics: {
      [setting.key]: {
        ...(method.value === setting.method
          ? {}
          : { method: method.value === setting.default_method ? null : method.value }),
        ...(changed.length === 0
          ? {}
          : { providers: Object.fromEntries(changed.map(({ provider }) => [provider, providers.value[provider]])) }),
      },
    },
  };
  const params = { path: { id: person.id } };
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          const { data } = await unwrap(v1.POST('/v1/users/{id}/consolidation/preview', { params, body: patch }));
          preview.value = data;
        });
      }}
    >
      <Field label={words.consolidation.method}>
        <select
          value={method.value}
          disabled={!canSave}
          onChange={(event) => {
            const next = entry.allowed_methods.find((each) => each === event.currentTarget.value);
            if (next) method.value = next;
            preview.value = undefined;
          }}
        >
          {entry.allowed_methods.map((each) => (
            <option key={each} value={each}>
              {words.why.methods[each]}
              {each === setting.default_method ? ` (${words.why.isDefault})` : ''}
            </option>
          ))}
        </select>
      </Field>
      <fieldset class="switches">
        <legend>{words.consolidation.providers}</legend>
        {setting.providers.map(({ provider }) => (
          <label key={provider}>
            <input
              type="checkbox"
              checked={providers.value[provider] ?? false}
              disabled={!canSave}
              onChange={(event) => {
                providers.value = { ...providers.value, [provider]: event.currentTarget.checked };
                preview.value = undefined;
              }}
            />{' '}
            {provider}
          </label>
        ))}
      </fieldset>
      {canSave ? (
        <div class="actions">
          <button type="submit" class="button" disabled={!isChanged || isActing.value}>
            {words.consolidation.preview}
          </button>
          <button
            type="button"
            class="primary-button"
            disabled={!isChanged || !preview.value || isActing.value}
            onClick={() =>
              void run(async () => {
                if (!preview.value) return;
                const change = await followChange(person, preview.value);
                const { status } = await unwrap(v1.PATCH('/v1/users/{id}/consolidation', { params, body: patch }));
                showToast(status === 'unchanged' ? words.consolidation.unchanged : words.consolidation.saved);
                await onSave(change);
              })
            }
          >
            {words.consolidation.save}
          </button>
          <span class="muted">{isChanged && !preview.value ? words.consolidation.previewFirst : ''}</span>
        </div>
      ) : (
        <p class="muted">{words.consolidation.readOnly}</p>
      )}
      <FailureNote failure={failure.value} />
      {preview.value && (
        <PreviewResult
          preview={preview.value}
          condition={words.consolidation.condition({
            metric: nameOfMetric(entry),
            method: method.value === setting.method ? undefined : words.why.methods[method.value],
            on: changed.flatMap(({ provider }) => (providers.value[provider] ? [provider] : [])),
            off: changed.flatMap(({ provider }) => (providers.value[provider] ? [] : [provider])),
          })}
        />
      )}
    </form>
  );
}

interface PreviewResultProps {
  preview: Preview;
  /** The change in words, as the beginning of the sentence that says what it would do. */
  condition: string;
}

function PreviewResult({ preview: { dates, metrics, days_changed }, condition }: PreviewResultProps) {
  const catalog = useMetricCatalog().data.value?.metrics ?? [];
  return (
    <section aria-live="polite" class="preview">
      {days_changed === 0 && <p>{words.consolidation.noChange(condition, dates.length)}</p>}
      {metrics.map((previewed) => {
        const metric = catalog.find(({ id }) => id === previewed.metric);
        const name = metric ? nameOfMetric(metric) : previewed.metric;
        const format = (value: number): string => (metric ? formatValue(value, metric) : formatNumber(value));
        const { largest_change: largest, mean_change: mean } = previewed;
        const sentence = words.consolidation.change({
          condition,
          metric: name,
          days: previewed.days_changed,
          of: dates.length,
          mean: mean === null ? undefined : format(mean),
          largest: largest && {
            change: format(Math.abs(largest.after - largest.before)),
            day: formatDay(largest.date),
          },
        });
        return (
          <div key={previewed.metric}>
            <p>{sentence}</p>
            <BeforeAfter
              label={sentence}
              dates={dates}
              before={previewed.before}
              after={previewed.after}
              kind={metric?.aggregation === 'sum' ? 'amount' : 'rate'}
              format={format}
            />
            <ChangedDays name={name} dates={dates} metric={previewed} format={format} />
          </div>
        );
      })}
    </section>
  );
}

interface ChangedDaysProps {
  name: string;
  dates: readonly string[];
  metric: Schemas['PreviewedMetric'];
  format: (value: number) => string;
}

const ChangedDays = ({ name, dates, metric, format }: ChangedDaysProps) => {
  const write = (value: number | null): string => (value === null ? words.chart.missing : format(value));
  return (
    <DataTable
      caption={words.consolidation.beforeAfter(name)}
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
