// What is being changed, which is part of the address: one metric, a category or a provider.
import { address, changeQuery, hrefOf } from '../../address/address.ts';
import { type CategoryDraft, type ConnectedProvider, type Draft, groupByCategory, type MetricDraft } from './draft.ts';

export type ChosenSetting =
  | { kind: 'metric'; metric: MetricDraft }
  | ({ kind: 'category' } & CategoryDraft)
  | { kind: 'provider'; provider: ConnectedProvider };

const nothingChosen = { metric: null, category: null, provider: null };

/** Undefined if the address names none, or one that this person does not have. */
export function readChosenSetting(draft: Draft): ChosenSetting | undefined {
  const { query } = address.value;
  const metric = draft.metrics.find(({ key }) => key === query['metric']);
  if (metric) return { kind: 'metric', metric };
  const group = groupByCategory(draft).find(({ category }) => category === query['category']);
  if (group) return { kind: 'category', ...group };
  const provider = draft.providers.find((each) => each === query['provider']);
  return provider && { kind: 'provider', provider };
}

/** The address at which one thing is changed. */
export const hrefOfSetting = (kind: ChosenSetting['kind'], id: string): string =>
  hrefOf(address.value.path, { ...address.value.query, ...nothingChosen, [kind]: id });

export const closeSetting = (): void => changeQuery(nothingChosen);
