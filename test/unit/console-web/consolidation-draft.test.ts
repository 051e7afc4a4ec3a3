import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyToDraft,
  listChanges,
  summarizeMetrics,
  toPatch,
} from '../../../functions/api/console/web/pages/consolidation/changes.ts';
import {
  createDraft,
  type Draft,
  groupByCategory,
  isUnsaved,
  listCategoryMethods,
  type MetricKey,
  methodOfCategory,
  restoreAll,
  setDefaultMethods,
  setMethod,
  stateOfProvider,
  stateOfProviderFor,
  switchProvider,
  switchProviderForAll,
} from '../../../functions/api/console/web/pages/consolidation/draft.ts';
import {
  readUnsavedPatch,
  storeUnsavedPatch,
} from '../../../functions/api/console/web/pages/consolidation/unsaved-patches.ts';
import { consolidationWords } from '../../../functions/api/console/web/words/en/consolidation.ts';
import { consolidationMethods } from '../../../shared/catalog/consolidation-catalog.ts';
import { consolidationCatalog } from '../../../shared/consolidation/catalog.ts';
import { ConsolidationPatch } from '../../../shared/consolidation/consolidation.ts';
import { applyPatch, defaultSettings, effectiveConfiguration } from '../../../shared/consolidation/settings.ts';

const connected = ['apple_health', 'garmin', 'oura'] as const;
type Settings = typeof defaultSettings;

/** As a browser receives it. */
const receive = <Body>(body: unknown): Body => JSON.parse(JSON.stringify(body));
const readDraft = (settings: Settings): Draft =>
  createDraft(receive(effectiveConfiguration(settings, connected)), receive(consolidationCatalog));
const defaults = readDraft(defaultSettings);
const keysOf = (wanted: string): MetricKey[] =>
  defaults.metrics.filter(({ category }) => category === wanted).map(({ key }) => key);
const metricOf = (draft: Draft, wanted: MetricKey) => {
  const metric = draft.metrics.find(({ key }) => key === wanted);
  if (!metric) throw new Error(`no metric ${wanted}`);
  return metric;
};

const anyKeys: fc.Arbitrary<MetricKey[]> = fc.oneof(
  fc.constantFrom(...defaults.metrics.map(({ key }) => [key])),
  fc.constantFrom(...groupByCategory(defaults).map(({ metrics }) => metrics.map(({ key }) => key))),
);
const anyProvider = fc.constantFrom(...connected);
const anyEdit = fc.oneof(
  fc.record({ kind: fc.constant('method'), keys: anyKeys, method: fc.constantFrom(...consolidationMethods) }),
  fc.record({ kind: fc.constant('default'), keys: anyKeys }),
  fc.record({ kind: fc.constant('switch'), keys: anyKeys, provider: anyProvider, isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('all'), provider: anyProvider, isOn: fc.boolean() }),
);
type Edit = typeof anyEdit extends fc.Arbitrary<infer Value> ? Value : never;

function edit(draft: Draft, change: Edit): Draft {
  if ('method' in change) return setMethod(draft, change.keys, change.method);
  if (!('provider' in change)) return setDefaultMethods(draft, change.keys);
  return 'keys' in change
    ? switchProvider(draft, change.keys, change.provider, change.isOn)
    : switchProviderForAll(draft, change.provider, change.isOn);
}

/** Every single setting by its name: `steps` has a method, `steps oura` and `oura` are switches. */
type Leaves = Map<string, string | boolean>;

function editNaively(leaves: Leaves, change: Edit): void {
  if (!('keys' in change)) {
    leaves.set(change.provider, change.isOn);
    return;
  }
  for (const key of change.keys) {
    const entry = consolidationCatalog.metrics.find((each) => each.key === key);
    if ('method' in change) {
      if (entry?.allowed_methods.includes(change.method)) leaves.set(key, change.method);
    } else if ('provider' in change) leaves.set(`${key} ${change.provider}`, change.isOn);
    else leaves.set(key, entry?.default_method ?? '');
  }
}

function listLeaves({ methods, disabled, disabledFor }: Settings): Leaves {
  const leaves: Leaves = new Map();
  for (const provider of connected) leaves.set(provider, !disabled.includes(provider));
  for (const { key, default_method } of consolidationCatalog.metrics) {
    leaves.set(key, methods[key] ?? default_method);
    for (const provider of connected) leaves.set(`${key} ${provider}`, !(disabledFor[key] ?? []).includes(provider));
  }
  return leaves;
}

/** What a body sets, with defaults instead of null. */
function listSent({ metrics = {}, providers = {} }: ConsolidationPatch): Leaves {
  const sent: Leaves = new Map(Object.entries(providers));
  for (const [key, { method, providers: switches = {} }] of Object.entries(metrics)) {
    const entry = consolidationCatalog.metrics.find((each) => each.key === key);
    if (method !== undefined) sent.set(key, method ?? entry?.default_method ?? '');
    for (const [provider, isOn] of Object.entries(switches)) sent.set(`${key} ${provider}`, isOn);
  }
  return sent;
}

const anyEdits = fc.array(anyEdit, { maxLength: 8 });
const saveEdits = (edits: readonly Edit[]): Settings => {
  const patch = toPatch(defaults, edits.reduce(edit, defaults));
  return patch ? applyPatch(defaultSettings, ConsolidationPatch.parse(patch), connected).settings : defaultSettings;
};

/** Switched-off providers have no order. */
const sortOff = (draft: Draft): Draft => ({
  ...draft,
  disabledProviders: draft.disabledProviders.toSorted(),
  metrics: draft.metrics.map((metric) => ({ ...metric, disabledProviders: metric.disabledProviders.toSorted() })),
});

describe('the body that saves a draft', () => {
  test('has every setting that differs and no other, after any edits of any settings', () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, (earlier, edits) => {
        const settings = saveEdits(earlier);
        const saved = readDraft(settings);
        const before = listLeaves(settings);
        const after = new Map(before);
        for (const change of edits) editNaively(after, change);
        const differing = new Map([...after].filter(([name, value]) => before.get(name) !== value));
        const patch = toPatch(saved, edits.reduce(edit, saved));
        expect(patch === undefined ? new Map() : listSent(ConsolidationPatch.parse(patch))).toEqual(differing);
        expect(patch === undefined).toBe(differing.size === 0);
      }),
    );
  });

  test('makes the API’s settings those of the draft', () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, (earlier, edits) => {
        const settings = saveEdits(earlier);
        const saved = readDraft(settings);
        const draft = edits.reduce(edit, saved);
        const patch = toPatch(saved, draft);
        fc.pre(patch !== undefined);
        const next = applyPatch(settings, ConsolidationPatch.parse(patch), connected);
        expect(next.changed).toBe(true);
        expect(readDraft(next.settings)).toEqual(sortOff(draft));
      }),
    );
  });

  test('restores the defaults of any settings', () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const settings = saveEdits(edits);
        const saved = readDraft(settings);
        const patch = toPatch(saved, restoreAll(saved));
        fc.pre(patch !== undefined);
        expect(applyPatch(settings, ConsolidationPatch.parse(patch), connected).settings).toEqual(defaultSettings);
      }),
    );
  });

  test('writes the default method as null', () => {
    const saved = setMethod(defaults, ['steps'], 'max');
    expect(toPatch(saved, setMethod(saved, ['steps'], 'merge'))).toEqual({ metrics: { steps: { method: null } } });
  });
});

describe('changes that are not saved', () => {
  test('are the same draft again', () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, (earlier, edits) => {
        const saved = readDraft(saveEdits(earlier));
        const draft = edits.reduce(edit, saved);
        expect(sortOff(applyToDraft(saved, toPatch(saved, draft) ?? {}))).toEqual(sortOff(draft));
      }),
    );
  });

  test('change other settings as the API would', () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, (edits, others) => {
        const patch = toPatch(defaults, edits.reduce(edit, defaults));
        fc.pre(patch !== undefined);
        const settings = saveEdits(others);
        const next = applyPatch(settings, ConsolidationPatch.parse(patch), connected).settings;
        expect(sortOff(applyToDraft(readDraft(settings), patch))).toEqual(readDraft(next));
      }),
    );
  });

  test('leave out a provider that is no longer connected', () => {
    const patch = { metrics: { steps: { providers: { oura: false } } }, providers: { oura: false } };
    const others: Draft = { ...defaults, providers: ['apple_health', 'garmin'] };
    expect(applyToDraft(others, patch)).toEqual(others);
  });

  test('are kept by person and environment until there are none', () => {
    const patch = { providers: { oura: false } };
    storeUnsavedPatch('sandbox a', patch);
    storeUnsavedPatch('live a', { providers: { garmin: false } });
    expect(readUnsavedPatch('sandbox a')).toBe(patch);
    storeUnsavedPatch('sandbox a', undefined);
    expect(readUnsavedPatch('sandbox a')).toBeUndefined();
    expect(readUnsavedPatch('live a')).toEqual({ providers: { garmin: false } });
  });
});

describe('a provider', () => {
  test('that is off for all metrics hides the setting of the metric, which returns with it', () => {
    const off = switchProviderForAll(switchProvider(defaults, ['steps'], 'oura', false), 'oura', false);
    const read = (draft: Draft, key: MetricKey) => stateOfProvider(draft, metricOf(draft, key), 'oura');
    expect([read(off, 'steps'), read(off, 'weight')]).toEqual(['off_for_all', 'off_for_all']);
    const on = switchProviderForAll(off, 'oura', true);
    expect([read(on, 'steps'), read(on, 'weight')]).toEqual(['off', 'on']);
    expect(isUnsaved(off, on, metricOf(on, 'steps'))).toBe(true);
    expect(isUnsaved(on, on, metricOf(on, 'steps'))).toBe(false);
  });

  test('that is off for all metrics can be off for a metric too, which is a change of its own', () => {
    const saved = switchProviderForAll(switchProvider(defaults, ['steps'], 'oura', false), 'oura', false);
    const draft = switchProvider(saved, ['steps'], 'oura', true);
    expect(isUnsaved(saved, draft, metricOf(draft, 'steps'))).toBe(true);
    expect(isUnsaved(saved, draft, metricOf(draft, 'weight'))).toBe(false);
    const metrics = [{ key: 'steps' }];
    expect(listChanges(saved, draft)).toMatchObject([{ kind: 'own_setting', provider: 'oura', isOn: true, metrics }]);
    expect(listChanges(draft, saved)).toMatchObject([{ kind: 'own_setting', provider: 'oura', isOn: false, metrics }]);
    const on = switchProviderForAll(draft, 'oura', true);
    const off = switchProvider(on, ['steps'], 'oura', false);
    expect(listChanges(on, off)).toMatchObject([{ kind: 'provider', provider: 'oura', isOn: false, metrics }]);
    const { ownSetting } = consolidationWords.consolidation.changes;
    expect(ownSetting('oura', true, ['steps'], false)).toBe('oura is no longer off for steps by its own setting');
    expect(ownSetting('oura', false, ['steps', 'weight'], true)).toBe(
      'oura is also off for steps, weight by their own settings',
    );
  });

  test('that counts for some metrics of a category is mixed there', () => {
    const draft = switchProvider(defaults, ['steps'], 'oura', false);
    const metrics = draft.metrics.filter(({ category }) => category === 'Activity');
    expect(stateOfProviderFor(draft, metrics, 'oura')).toBe('mixed');
    expect(stateOfProviderFor(draft, metrics, 'garmin')).toBe('on');
    expect(stateOfProviderFor(switchProviderForAll(draft, 'oura', false), metrics, 'oura')).toBe('off_for_all');
  });
});

describe('the method of a category', () => {
  const inCategory = (draft: Draft, wanted: string) => draft.metrics.filter(({ category }) => category === wanted);

  test('is set where it is allowed; the other metrics keep theirs', () => {
    const { keeps = [] } =
      listCategoryMethods(inCategory(defaults, 'Activity')).find(({ method }) => method === 'sum') ?? {};
    expect(keeps.length).toBeGreaterThan(0);
    const draft = setMethod(defaults, keysOf('Activity'), 'sum');
    for (const metric of inCategory(draft, 'Activity')) {
      const isKept = keeps.some(({ key }) => key === metric.key);
      expect(metric.method).toBe(isKept ? metric.defaultMethod : 'sum');
    }
    expect(methodOfCategory(inCategory(draft, 'Activity'))).toBe('sum');
    expect(inCategory(draft, 'Vitals')).toEqual(inCategory(defaults, 'Vitals'));
  });

  test('is the default, one method or mixed', () => {
    expect(methodOfCategory(inCategory(defaults, 'Activity'))).toBe('default');
    const all = setMethod(defaults, keysOf('Activity'), 'max');
    expect(methodOfCategory(inCategory(all, 'Activity'))).toBe('max');
    const mixed = setMethod(defaults, ['steps'], 'max');
    expect(methodOfCategory(inCategory(mixed, 'Activity'))).toBe('mixed');
    // Stand hours do not allow every method that the others have.
    const standHours = setMethod(defaults, ['stand_hours'], 'max');
    expect(metricOf(standHours, 'stand_hours').method).not.toBe(metricOf(defaults, 'stand_hours').method);
    expect(methodOfCategory(inCategory(standHours, metricOf(defaults, 'stand_hours').category))).toBe('mixed');
  });
});

describe('changes to read', () => {
  test('join the same change of several metrics, and name whole categories', () => {
    const energy = keysOf('Energy');
    const draft = [
      (before: Draft) => switchProvider(before, [...energy, 'steps'], 'oura', false),
      (before: Draft) => setMethod(before, ['weight'], 'avg'),
      (before: Draft) => switchProviderForAll(before, 'garmin', false),
    ].reduce((before, apply) => apply(before), defaults);
    const changes = listChanges(defaults, draft);
    expect(changes).toMatchObject([
      { kind: 'provider_for_all', provider: 'garmin', isOn: false },
      { kind: 'provider', provider: 'oura', isOn: false },
      { kind: 'method', method: 'avg', metrics: [{ key: 'weight' }] },
    ]);
    const [, switched] = changes;
    const metrics = switched?.kind === 'provider' ? switched.metrics : [];
    expect(summarizeMetrics(draft, metrics)).toEqual({ categories: ['Energy'], names: ['Steps'] });
  });

  test('are none exactly when there is nothing to save', () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const draft = edits.reduce(edit, defaults);
        expect(listChanges(defaults, draft).length === 0).toBe(toPatch(defaults, draft) === undefined);
      }),
    );
  });
});
