// What a draft changes: as the body of the request that saves it, and as changes to read.
import type { components } from '../../api/generated/v1.d.ts';
import {
  type ConnectedProvider,
  type Draft,
  type DraftMethod,
  groupByCategory,
  type MetricDraft,
  type MetricKey,
  setDefaultMethods,
  setMethod,
  switchProvider,
  switchProviderForAll,
} from './draft.ts';

export type Patch = components['schemas']['ConsolidationPatch'];
type MetricPatch = components['schemas']['MetricConsolidationPatch'];
type Switches = Partial<Record<ConnectedProvider, boolean>>;

interface MetricChange {
  before: MetricDraft;
  after: MetricDraft;
}

function pairMetrics(saved: Draft, draft: Draft): MetricChange[] {
  const savedMetrics = new Map(saved.metrics.map((metric) => [metric.key, metric]));
  return draft.metrics.map((after) => ({ before: savedMetrics.get(after.key) ?? after, after }));
}

/** The providers that are switched, with their new state. */
const listSwitched = (
  providers: readonly ConnectedProvider[],
  before: { disabledProviders: readonly ConnectedProvider[] },
  after: { disabledProviders: readonly ConnectedProvider[] },
): { provider: ConnectedProvider; isOn: boolean }[] =>
  providers
    .filter((provider) => before.disabledProviders.includes(provider) !== after.disabledProviders.includes(provider))
    .map((provider) => ({ provider, isOn: !after.disabledProviders.includes(provider) }));

const toSwitches = (switched: readonly { provider: ConnectedProvider; isOn: boolean }[]): Switches =>
  Object.fromEntries(switched.map(({ provider, isOn }) => [provider, isOn]));

/** Only what differs; undefined if nothing does, because the API takes no empty change. */
export function toPatch(saved: Draft, draft: Draft): Patch | undefined {
  const providers = listSwitched(draft.providers, saved, draft);
  const metrics = pairMetrics(saved, draft).flatMap(({ before, after }): [MetricKey, MetricPatch][] => {
    const switched = listSwitched(draft.providers, before, after);
    if (before.method === after.method && switched.length === 0) return [];
    const method = after.method === after.defaultMethod ? null : after.method;
    return [
      [
        after.key,
        {
          ...(before.method === after.method ? {} : { method }),
          ...(switched.length === 0 ? {} : { providers: toSwitches(switched) }),
        },
      ],
    ];
  });
  if (providers.length === 0 && metrics.length === 0) return undefined;
  return {
    ...(metrics.length === 0 ? {} : { metrics: Object.fromEntries(metrics) }),
    ...(providers.length === 0 ? {} : { providers: toSwitches(providers) }),
  };
}

/** The draft of the same changes for other settings. What is no longer possible is left out. */
export function applyToDraft(saved: Draft, { metrics = {}, providers = {} }: Patch): Draft {
  const listConnected = (switches: Switches) =>
    saved.providers.flatMap((provider) => {
      const isOn = switches[provider];
      return isOn === undefined ? [] : [{ provider, isOn }];
    });
  const switched = listConnected(providers).reduce(
    (draft, { provider, isOn }) => switchProviderForAll(draft, provider, isOn),
    saved,
  );
  return saved.metrics.reduce((draft, { key }) => {
    const { method, providers: own = {} } = metrics[key] ?? {};
    const withProviders = listConnected(own).reduce(
      (next, { provider, isOn }) => switchProvider(next, [key], provider, isOn),
      draft,
    );
    if (method === undefined) return withProviders;
    return method === null ? setDefaultMethods(withProviders, [key]) : setMethod(withProviders, [key], method);
  }, switched);
}

/** The same change of several metrics is one change to a reader. */
export type SettingChange =
  | { kind: 'method'; method: DraftMethod; metrics: MetricDraft[] }
  | { kind: 'provider'; provider: ConnectedProvider; isOn: boolean; metrics: MetricDraft[] }
  /** Of a provider that is off for all metrics: it counts for none, whatever their own settings become. */
  | { kind: 'own_setting'; provider: ConnectedProvider; isOn: boolean; metrics: MetricDraft[] }
  | { kind: 'provider_for_all'; provider: ConnectedProvider; isOn: boolean };

export function listChanges(saved: Draft, draft: Draft): SettingChange[] {
  const pairs = pairMetrics(saved, draft);
  const methods = Map.groupBy(
    pairs.filter(({ before, after }) => before.method !== after.method).map(({ after }) => after),
    ({ method }) => method,
  );
  const switches = draft.providers.flatMap((provider) =>
    [true, false].map((isOn) => ({
      provider,
      isOn,
      metrics: pairs
        .filter(({ before, after }) =>
          listSwitched([provider], before, after).some((switched) => switched.isOn === isOn),
        )
        .map(({ after }) => after),
    })),
  );
  return [
    ...listSwitched(draft.providers, saved, draft).map(
      (switched): SettingChange => ({ kind: 'provider_for_all', ...switched }),
    ),
    ...switches
      .filter(({ metrics }) => metrics.length > 0)
      .map((switched): SettingChange => {
        const isOffForAll = draft.disabledProviders.includes(switched.provider);
        return { kind: isOffForAll ? 'own_setting' : 'provider', ...switched };
      }),
    ...[...methods].map(([method, metrics]): SettingChange => ({ kind: 'method', method, metrics })),
  ];
}

/** Several metrics in words: categories that are whole, then the other metrics. */
export function summarizeMetrics(
  draft: Draft,
  metrics: readonly MetricDraft[],
): { categories: string[]; names: string[] } {
  const whole = groupByCategory(draft).filter(
    ({ metrics: members }) => members.length > 1 && members.every((member) => metrics.includes(member)),
  );
  return {
    categories: whole.map(({ category }) => category),
    names: metrics.filter(({ category }) => !whole.some((each) => each.category === category)).map(({ name }) => name),
  };
}
