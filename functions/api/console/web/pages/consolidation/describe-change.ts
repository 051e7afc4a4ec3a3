// A change as a part of a sentence.
import { nameOfProvider, toSentenceCase } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import { type SettingChange, summarizeMetrics } from './changes.ts';
import type { Draft, MetricDraft } from './draft.ts';

const texts = words.consolidation.changes;

export function describeChange(draft: Draft, change: SettingChange): string {
  switch (change.kind) {
    case 'method':
      return texts.becomes(
        nameMetrics(draft, change.metrics),
        change.metrics.length > 1,
        words.why.methods[change.method],
      );
    case 'provider':
      return texts.countsFor(nameOfProvider(change.provider), change.isOn, nameMetrics(draft, change.metrics));
    case 'own_setting':
      return texts.ownSetting(
        nameOfProvider(change.provider),
        change.isOn,
        nameMetrics(draft, change.metrics),
        change.metrics.length > 1,
      );
    case 'provider_for_all':
      return texts.countsForAll(nameOfProvider(change.provider), change.isOn);
  }
}

function nameMetrics(draft: Draft, metrics: readonly MetricDraft[]): string[] {
  const { categories, names } = summarizeMetrics(draft, metrics);
  return [...categories.map((category) => texts.category(toSentenceCase(category))), ...names.map(texts.metric)];
}
