// Which devices count, metric by metric, and what a change would do before it is saved.
import { useSignal } from '@preact/signals';
import { address, changeQuery, environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Field } from '../../parts/form.tsx';
import { FailureNote, Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
import { formatDay, formatNumber } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { hasRole, valueRoles } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

type Setting = Schemas['ConsolidatedMetric'];
type Entry = Schemas['ConsolidationEntry'];
type Patch = Schemas['ConsolidationPatch'];
type Preview = Schemas['ConsolidationPreview']['data'];
type Method = Schemas['ConsolidationMethod'];

export function ConsolidationTab({ context: { person } }: { context: PersonContext }) {
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
                    {catalog.metrics.find((each) => each.key === key)?.display_name ?? key}
                    {overridden ? ` (${words.consolidation.changed})` : ''}
                  </option>
                ))}
              </select>
            </Field>
            {setting && entry && (
              <SettingForm
                key={`${setting.key} ${JSON.stringify(setting)}`}
                personId={person.id}
                setting={setting}
                entry={entry}
                reload={loaded.reload}
              />
            )}
          </>
        );
      }}
    </Panel>
  );
}

interface SettingFormProps {
  personId: string;
  setting: Setting;
  entry: Entry;
  reload: () => Promise<void>;
}

function SettingForm({ personId, setting, entry, reload }: SettingFormProps) {
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
  const params = { path: { id: personId } };
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
                const { status } = await unwrap(v1.PATCH('/v1/users/{id}/consolidation', { params, body: patch }));
                showToast(status === 'unchanged' ? words.consolidation.unchanged : words.consolidation.saved);
                await reload();
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
      {preview.value && <PreviewResult preview={preview.value} />}
    </form>
  );
}

function PreviewResult({ preview }: { preview: Preview }) {
  const { dates, metrics, days_changed } = preview;
  return (
    <section aria-live="polite" class="preview">
      <p>{words.consolidation.summary(days_changed, dates.length)}</p>
      {metrics.map((metric) => (
        <div key={metric.metric}>
          <p>
            {words.consolidation.change({
              metric: metric.metric,
              days: metric.days_changed,
              mean: formatNumber(metric.mean_change ?? 0),
              largest:
                metric.largest_change === null
                  ? undefined
                  : {
                      change: formatNumber(metric.largest_change.after - metric.largest_change.before),
                      day: formatDay(metric.largest_change.date),
                    },
            })}
          </p>
          <DataTable
            caption={words.consolidation.beforeAfter(metric.metric)}
            rows={dates
              .map((date, at) => ({ date, before: metric.before[at] ?? null, after: metric.after[at] ?? null }))
              .filter(({ before, after }) => before !== after)}
            keyOf={({ date }) => date}
            columns={[
              { id: 'day', name: words.chart.day, cell: ({ date }) => formatDay(date, 'long') },
              {
                id: 'before',
                name: words.consolidation.before,
                isNumber: true,
                cell: ({ before }) => (before === null ? words.chart.missing : formatNumber(before)),
              },
              {
                id: 'after',
                name: words.consolidation.after,
                isNumber: true,
                cell: ({ after }) => (after === null ? words.chart.missing : formatNumber(after)),
              },
            ]}
          />
        </div>
      ))}
    </section>
  );
}
