// The consolidation settings of a person as the page edits them: one draft gathers every change until
// it is saved.
import type { components } from '../../api/generated/v1.d.ts';
import { nameOfMetric } from '../../state/format.ts';

type Schemas = components['schemas'];
export type DraftMethod = Schemas['ConsolidationMethod'];
type Category = Schemas['ConsolidationCategory'];
export type ConnectedProvider = Schemas['ProviderId'];
export type MetricKey = Schemas['ConsolidationKey'];

export interface MetricDraft {
  readonly key: MetricKey;
  readonly name: string;
  readonly category: Category;
  readonly allowedMethods: readonly DraftMethod[];
  readonly defaultMethod: DraftMethod;
  readonly method: DraftMethod;
  /** The providers that the metric's own setting switches off. */
  readonly disabledProviders: readonly ConnectedProvider[];
}

export interface Draft {
  /** Every connected provider. */
  readonly providers: readonly ConnectedProvider[];
  /** The providers that are off for all metrics. */
  readonly disabledProviders: readonly ConnectedProvider[];
  /** In the order of their categories. */
  readonly metrics: readonly MetricDraft[];
}

export function createDraft(
  { providers, metrics }: Schemas['ConsolidationConfiguration'],
  catalog: Schemas['ConsolidationCatalog'],
): Draft {
  const entries = new Map(catalog.metrics.map((entry) => [entry.key, entry]));
  const onForAll = new Set(providers.filter(({ enabled }) => enabled).map(({ provider }) => provider));
  return {
    providers: providers.map(({ provider }) => provider),
    disabledProviders: providers.flatMap(({ provider, enabled }) => (enabled ? [] : [provider])),
    metrics: metrics.map(({ key, category, default_method, method, providers: own, disabled_providers = [] }) => {
      const entry = entries.get(key);
      return {
        key,
        name: entry ? nameOfMetric(entry) : key,
        category,
        allowedMethods: entry?.allowed_methods ?? [method],
        defaultMethod: default_method,
        method,
        disabledProviders: own.flatMap(({ provider, enabled }) =>
          disabled_providers.includes(provider) || (!enabled && onForAll.has(provider)) ? [provider] : [],
        ),
      };
    }),
  };
}

type Keys = readonly MetricKey[];

const changeMetrics = (draft: Draft, keys: Keys, change: (metric: MetricDraft) => MetricDraft): Draft => ({
  ...draft,
  metrics: draft.metrics.map((metric) => (keys.includes(metric.key) ? change(metric) : metric)),
});

/** A metric that does not allow the method keeps its own. */
export const setMethod = (draft: Draft, keys: Keys, method: DraftMethod): Draft =>
  changeMetrics(draft, keys, (metric) => (metric.allowedMethods.includes(method) ? { ...metric, method } : metric));

export const setDefaultMethods = (draft: Draft, keys: Keys): Draft =>
  changeMetrics(draft, keys, (metric) => ({ ...metric, method: metric.defaultMethod }));

const switchOne = (
  disabledProviders: readonly ConnectedProvider[],
  provider: ConnectedProvider,
  isOn: boolean,
): ConnectedProvider[] => [...disabledProviders.filter((each) => each !== provider), ...(isOn ? [] : [provider])];

export const switchProvider = (draft: Draft, keys: Keys, provider: ConnectedProvider, isOn: boolean): Draft =>
  changeMetrics(draft, keys, (metric) => ({
    ...metric,
    disabledProviders: switchOne(metric.disabledProviders, provider, isOn),
  }));

export const switchProviderForAll = (draft: Draft, provider: ConnectedProvider, isOn: boolean): Draft => ({
  ...draft,
  disabledProviders: switchOne(draft.disabledProviders, provider, isOn),
});

export const restoreAll = (draft: Draft): Draft => ({
  ...draft,
  disabledProviders: [],
  metrics: draft.metrics.map((metric) => ({ ...metric, method: metric.defaultMethod, disabledProviders: [] })),
});

/** Why a provider does not count for a metric, or that it does. */
export type ProviderState = 'on' | 'off' | 'off_for_all';

export const stateOfProvider = (
  draft: Draft,
  { disabledProviders }: MetricDraft,
  provider: ConnectedProvider,
): ProviderState => {
  if (draft.disabledProviders.includes(provider)) return 'off_for_all';
  return disabledProviders.includes(provider) ? 'off' : 'on';
};

/** Of several metrics: `mixed` if the provider counts for some of them only. */
export function stateOfProviderFor(
  draft: Draft,
  metrics: readonly MetricDraft[],
  provider: ConnectedProvider,
): ProviderState | 'mixed' {
  const [first, ...rest] = new Set(metrics.map((metric) => stateOfProvider(draft, metric, provider)));
  return rest.length > 0 ? 'mixed' : (first ?? 'on');
}

/** By its own setting: a provider that is off for all metrics is a change of the provider. */
export const isChangedFromDefault = ({ method, defaultMethod, disabledProviders }: MetricDraft): boolean =>
  method !== defaultMethod || disabledProviders.length > 0;

/** Whether the metric's own setting differs from the saved one, or which providers count for it. */
export function isUnsaved(saved: Draft, draft: Draft, metric: MetricDraft): boolean {
  const before = saved.metrics.find(({ key }) => key === metric.key);
  if (!before) return false;
  return (
    before.method !== metric.method ||
    draft.providers.some(
      (provider) =>
        before.disabledProviders.includes(provider) !== metric.disabledProviders.includes(provider) ||
        stateOfProvider(saved, before, provider) !== stateOfProvider(draft, metric, provider),
    )
  );
}

export interface CategoryDraft {
  readonly category: Category;
  readonly metrics: readonly MetricDraft[];
}

export const groupByCategory = ({ metrics }: Draft): CategoryDraft[] =>
  [...Map.groupBy(metrics, ({ category }) => category)].map(([category, members]) => ({ category, metrics: members }));

/** The methods that a category can be set to, and the metrics that would keep their own. */
export function listCategoryMethods(metrics: readonly MetricDraft[]): { method: DraftMethod; keeps: MetricDraft[] }[] {
  const methods = new Set(metrics.flatMap(({ allowedMethods }) => allowedMethods));
  return [...methods].map((method) => ({
    method,
    keeps: metrics.filter(({ allowedMethods }) => !allowedMethods.includes(method)),
  }));
}

/**
 * `default` if each metric has its default. Otherwise the method of every metric that allows it, if the
 * others have their default: a method that somebody chose for one of them makes the category `mixed`.
 */
export function methodOfCategory(metrics: readonly MetricDraft[]): DraftMethod | 'default' | 'mixed' {
  const hasDefault = ({ method, defaultMethod }: MetricDraft): boolean => method === defaultMethod;
  if (metrics.every(hasDefault)) return 'default';
  const common = listCategoryMethods(metrics).find(({ method, keeps }) =>
    metrics.every((metric) => (keeps.includes(metric) ? hasDefault(metric) : metric.method === method)),
  );
  return common?.method ?? 'mixed';
}
