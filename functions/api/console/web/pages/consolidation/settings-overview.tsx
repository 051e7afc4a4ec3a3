// How every metric is consolidated: its method and which providers count, by category.
import { nameOfProvider, toSentenceCase } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import { type ChosenSetting, hrefOfSetting } from './chosen-setting.ts';
import {
  type Draft,
  groupByCategory,
  isChangedFromDefault,
  isUnsaved,
  type MetricDraft,
  stateOfProvider,
} from './draft.ts';

const texts = words.consolidation.overview;

interface OverviewProps {
  saved: Draft;
  draft: Draft;
  canEdit: boolean;
  chosen: ChosenSetting | undefined;
}

export const SettingsOverview = (props: OverviewProps) => (
  <div class="settings-overview">
    <ProviderList {...props} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
    <section class="table-scroll" tabIndex={0} aria-label={texts.caption}>
      <table>
        <caption class="visually-hidden">{texts.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.metric}</th>
            <th scope="col">{texts.method}</th>
            <th scope="col">{texts.providers}</th>
          </tr>
        </thead>
        {groupByCategory(props.draft).map(({ category, metrics }) => (
          <tbody key={category}>
            <tr class="group-row">
              <th scope="rowgroup" colSpan={3}>
                <span class="group-name">{toSentenceCase(category)}</span>{' '}
                {props.canEdit && (
                  <a
                    href={hrefOfSetting('category', category)}
                    aria-current={
                      props.chosen?.kind === 'category' && props.chosen.category === category ? 'true' : undefined
                    }
                  >
                    {texts.changeCategory(toSentenceCase(category))}
                  </a>
                )}
              </th>
            </tr>
            {metrics.map((metric) => (
              <MetricRow key={metric.key} metric={metric} {...props} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  </div>
);

function MetricRow({ metric, saved, draft, canEdit, chosen }: OverviewProps & { metric: MetricDraft }) {
  const { key, name, method, defaultMethod } = metric;
  const isChosen = chosen?.kind === 'metric' && chosen.metric.key === key;
  return (
    <tr class={isChosen ? 'chosen' : undefined}>
      <th scope="row">
        {canEdit ? (
          <a href={hrefOfSetting('metric', key)} aria-current={isChosen ? 'true' : undefined}>
            {name}
          </a>
        ) : (
          name
        )}
        {isChangedFromDefault(metric) && <span class="setting-mark">{texts.changed}</span>}
        {isUnsaved(saved, draft, metric) && <span class="setting-mark unsaved">{texts.unsaved}</span>}
      </th>
      <td>
        {words.why.methods[method]}
        {method !== defaultMethod && <div class="muted small">{texts.defaultIs(words.why.methods[defaultMethod])}</div>}
      </td>
      <td>
        <CountingProviders draft={draft} metric={metric} />
      </td>
    </tr>
  );
}

function CountingProviders({ draft, metric }: { draft: Draft; metric: MetricDraft }) {
  const { states, noneCounts } = words.consolidation.providers;
  const providers = draft.providers.map((provider) => ({ provider, state: stateOfProvider(draft, metric, provider) }));
  const counting = providers.flatMap(({ provider, state }) => (state === 'on' ? [provider] : []));
  return (
    <>
      {counting.length === 0 ? noneCounts : counting.map(nameOfProvider).join(', ')}
      {providers.map(
        ({ provider, state }) =>
          state !== 'on' && (
            <div key={provider} class="muted small">
              <s>{nameOfProvider(provider)}</s> {states[state]}
            </div>
          ),
      )}
    </>
  );
}

function ProviderList({ saved, draft, canEdit, chosen }: OverviewProps) {
  const { label, none, states } = words.consolidation.providers;
  if (draft.providers.length === 0) return <p class="muted">{none}</p>;
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      <ul class="provider-list">
        {draft.providers.map((provider) => (
          <li key={provider}>
            {canEdit ? (
              <a
                href={hrefOfSetting('provider', provider)}
                aria-current={chosen?.kind === 'provider' && chosen.provider === provider ? 'true' : undefined}
              >
                {nameOfProvider(provider)}
              </a>
            ) : (
              nameOfProvider(provider)
            )}{' '}
            <span class="muted">{states[draft.disabledProviders.includes(provider) ? 'off_for_all' : 'on']}</span>
            {saved.disabledProviders.includes(provider) !== draft.disabledProviders.includes(provider) && (
              <span class="setting-mark unsaved">{texts.unsaved}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
