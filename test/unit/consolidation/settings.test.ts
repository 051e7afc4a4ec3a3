import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { consolidationCatalog, consolidationEntry } from '../../../shared/consolidation/catalog.ts';
import { ConsolidationConfiguration, ConsolidationPatch } from '../../../shared/consolidation/consolidation.ts';
import {
  applyPatch,
  areSettingsEqual,
  defaultSettings,
  effectiveConfiguration,
} from '../../../shared/consolidation/settings.ts';
import { Failure } from '../../../shared/system/failure.ts';

const connected = ['oura', 'apple_health', 'garmin'] as const;
const keys = ['steps', 'heart_rate', 'sleep', 'blood_pressure'];

function failure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}
const patched = (patch: ConsolidationPatch, before = defaultSettings) => applyPatch(before, patch, connected);
const refused = (patch: ConsolidationPatch) => {
  const { code, details } = failure(() => patched(patch));
  return { code, details };
};

const anySwitches = fc.dictionary(fc.constantFrom(...connected), fc.boolean(), { noNullPrototype: true, maxKeys: 3 });
const anyPatch: fc.Arbitrary<ConsolidationPatch> = fc
  .record(
    {
      metrics: fc.dictionary(
        fc.constantFrom(...keys),
        fc.record(
          { method: fc.constantFrom('priority', 'max', 'avg', null), providers: anySwitches },
          { requiredKeys: [], noNullPrototype: true },
        ),
        { noNullPrototype: true },
      ),
      providers: anySwitches,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .filter(
    ({ metrics, providers }) =>
      Object.keys(providers ?? {}).length > 0 ||
      Object.values(metrics ?? {}).some(
        (each) => each.method !== undefined || Object.keys(each.providers ?? {}).length > 0,
      ),
  );

/**
 * Tracks every setting on its own: the latest method of each key and the latest state of each
 * switch.
 */
function naively(patches: ConsolidationPatch[]) {
  const methods = new Map<string, string | null>();
  const switches = new Map<string, boolean>();
  for (const { metrics, providers } of patches) {
    for (const [key, change] of Object.entries(metrics ?? {})) {
      if (change.method !== undefined) methods.set(key, change.method);
      for (const [provider, on] of Object.entries(change.providers ?? {})) switches.set(`${key} ${provider}`, on);
    }
    for (const [provider, on] of Object.entries(providers ?? {})) switches.set(provider, on);
  }
  return {
    method: (key: string) => methods.get(key) ?? consolidationEntry(key)?.default_method ?? 'none',
    overridden: (key: string) => (methods.get(key) ?? null) !== null,
    global: (provider: string) => switches.get(provider) ?? true,
    enabled: (key: string, provider: string) =>
      (switches.get(provider) ?? true) && (switches.get(`${key} ${provider}`) ?? true),
    disabledForKey: (key: string, provider: string) => switches.get(`${key} ${provider}`) === false,
  };
}

describe('patching the consolidation settings', () => {
  test('changes what is sent and nothing else, after any number of patches', () => {
    fc.assert(
      fc.property(fc.array(anyPatch, { maxLength: 5 }), (patches) => {
        const settings = patches.reduce((before, patch) => patched(patch, before).settings, defaultSettings);
        const { method, overridden, global, enabled, disabledForKey } = naively(patches);
        const configuration = effectiveConfiguration(settings, connected);
        expect(ConsolidationConfiguration.parse(configuration)).toEqual(configuration);
        expect(ConsolidationSettings.parse(settings)).toEqual(settings);
        expect(configuration.providers).toEqual(
          connected.toSorted().map((provider) => ({ provider, enabled: global(provider) })),
        );
        expect(configuration.metrics.map(({ key }) => key)).toEqual(consolidationCatalog.metrics.map(({ key }) => key));
        for (const entry of configuration.metrics) {
          expect([entry.method, entry.overridden]).toEqual([method(entry.key), overridden(entry.key)]);
          for (const { provider, enabled: shown } of entry.providers) expect(shown).toBe(enabled(entry.key, provider));
        }
        const disabled = configuration.metrics.map(({ disabled_providers }) => disabled_providers);
        expect(disabled).toEqual(
          configuration.metrics.map(({ key }) => {
            const twice = connected.toSorted().filter((provider) => !global(provider) && disabledForKey(key, provider));
            return twice.length === 0 ? undefined : twice;
          }),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('changes nothing when the same patch is repeated, and equal settings serialize to equal text', () => {
    fc.assert(
      fc.property(anyPatch, anyPatch, (first, second) => {
        const once = patched(second, patched(first).settings);
        const twice = patched(second, once.settings);
        expect(twice).toEqual({ settings: once.settings, changed: false });
        expect(JSON.stringify(twice.settings)).toBe(JSON.stringify(once.settings));
        expect(once.changed).toBe(!areSettingsEqual(patched(first).settings, once.settings));
      }),
    );
  });

  test('restores the defaults when every override and switch is undone', () => {
    const { settings } = patched({
      metrics: { steps: { method: 'sum', providers: { oura: false } } },
      providers: { garmin: false },
    });
    expect(settings).toEqual({ methods: { steps: 'sum' }, disabled: ['garmin'], disabledFor: { steps: ['oura'] } });
    const undone = patched(
      { metrics: { steps: { method: null, providers: { oura: true } } }, providers: { garmin: true } },
      settings,
    );
    expect(undone).toEqual({ settings: defaultSettings, changed: true });
  });

  test('treats an explicitly chosen default method as an override', () => {
    const { settings, changed } = patched({ metrics: { steps: { method: 'merge' } } });
    expect(changed).toBe(true);
    const steps = effectiveConfiguration(settings, connected).metrics.find(({ key }) => key === 'steps');
    expect(steps).toMatchObject({ method: 'merge', default_method: 'merge', overridden: true });
  });

  test.each<[string, ConsolidationPatch, string, Record<string, unknown>]>([
    ['an unknown metric', { metrics: { nonsense: { method: 'max' } } }, 'invalid_metric', { metric: 'nonsense' }],
    ['a metric of a group', { metrics: { asleep: { method: 'max' } } }, 'invalid_metric', { metric: 'asleep' }],
    [
      'a method the metric does not allow',
      { metrics: { heart_rate: { method: 'sum' } } },
      'invalid_method',
      { metric: 'heart_rate', method: 'sum', allowed_methods: ['priority', 'max', 'avg'] },
    ],
    ['a provider that is not connected', { providers: { whoop: false } }, 'invalid_provider', { provider: 'whoop' }],
    [
      'switching on a provider that is not connected',
      { providers: { whoop: true } },
      'invalid_provider',
      { provider: 'whoop' },
    ],
    [
      'a provider that is not connected, under a metric',
      { metrics: { steps: { providers: { whoop: false } } } },
      'invalid_provider',
      { provider: 'whoop', metric: 'steps' },
    ],
    [
      'the first of several bad keys',
      { metrics: { steps: { method: 'max' }, sleep: { method: 'sum' }, nonsense: {} }, providers: { whoop: false } },
      'invalid_method',
      { metric: 'sleep', method: 'sum', allowed_methods: ['priority', 'max', 'avg'] },
    ],
    [
      'the first of several bad keys, in the order they were sent',
      { providers: { whoop: false }, metrics: { nonsense: { method: 'max' } } },
      'invalid_provider',
      { provider: 'whoop' },
    ],
    [
      'a key that every object inherits',
      { metrics: { constructor: { method: 'max' as const } } },
      'invalid_metric',
      { metric: 'constructor' },
    ],
  ])('rejects %s', (_, patch, code, details) => {
    expect(refused(patch)).toEqual({ code, details });
  });

  test.each<[string, ConsolidationPatch]>([
    ['{}', {}],
    ['empty metrics', { metrics: {} }],
    ['empty providers', { providers: {} }],
    ['a metric without settings', { metrics: { steps: {} } }],
    ['a metric with empty providers', { metrics: { steps: { providers: {} } }, providers: {} }],
  ])('rejects %s as an empty patch', (_, patch) => {
    expect(refused(patch).code).toBe('invalid_body');
  });

  test.each([
    { metrics: { steps: { methd: 'max' } } },
    { metrics: { steps: 'max' } },
    { metrics: { steps: { method: 'median' } } },
    { providers: { oura: 'no' } },
    { other: {} },
    [],
  ])('rejects the shape %j by its schema', (body) => {
    expect(ConsolidationPatch.safeParse(body).success).toBe(false);
  });

  test('keeps a disconnected provider switched off in case it returns, and does not show it in the meantime', () => {
    const { settings } = patched({ providers: { oura: false } });
    expect(effectiveConfiguration(settings, ['garmin']).providers).toEqual([{ provider: 'garmin', enabled: true }]);
    expect(effectiveConfiguration(settings, ['oura']).providers).toEqual([{ provider: 'oura', enabled: false }]);
  });
});
