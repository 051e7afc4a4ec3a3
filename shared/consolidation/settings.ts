// A user's consolidation settings: how a patch changes them, all or nothing, and which settings are
// in effect.

import type { ConsolidationMethod, ConsolidationSettings } from '../catalog/consolidation-catalog.ts';
import type { ConsolidationEntry } from '../catalog/consolidation-entry.ts';
import type { ProviderId } from '../catalog/provider.ts';
import { Failure } from '../system/failure.ts';
import { consolidationCatalog, consolidationEntry } from './catalog.ts';
import type { ConsolidationConfiguration, ConsolidationPatch } from './consolidation.ts';

export const defaultSettings: ConsolidationSettings = { methods: {}, disabled: [], disabledFor: {} };

type Switches = Readonly<Record<string, boolean>>;

/** Throws for the first invalid key, in the order of the patch. */
export function applyPatch(
  settings: ConsolidationSettings,
  patch: ConsolidationPatch,
  connectedProviders: readonly string[],
): { settings: ConsolidationSettings; changed: boolean } {
  if (isEmptyPatch(patch)) {
    throw new Failure('invalid_body', 'The request changes nothing. Send at least one method or provider setting.', {
      details: { issues: [{ path: '', message: 'at least one setting is required' }] },
    });
  }
  const connected = new Set(connectedProviders);
  const methods = new Map(Object.entries(settings.methods));
  const disabled = new Set(settings.disabled);
  const disabledFor = new Map(
    Object.entries(settings.disabledFor).map(([key, providers]) => [key, new Set(providers)]),
  );

  const setMetric = (key: string, change: NonNullable<ConsolidationPatch['metrics']>[string]): void => {
    const entry = getCatalogEntry(key);
    for (const field of Object.keys(change)) {
      if (field === 'method' && change.method !== undefined) setMethod(methods, entry, change.method);
      if (field === 'providers') {
        const excluded = disabledFor.get(key) ?? new Set();
        disabledFor.set(key, excluded);
        applySwitches(excluded, change.providers ?? {}, connected, key);
      }
    }
  };

  for (const field of Object.keys(patch)) {
    if (field === 'metrics') for (const [key, change] of Object.entries(patch.metrics ?? {})) setMetric(key, change);
    if (field === 'providers') applySwitches(disabled, patch.providers ?? {}, connected);
  }
  const next = normalizeSettings(methods, disabled, disabledFor);
  return { settings: next, changed: !areSettingsEqual(settings, next) };
}

function isEmptyPatch({ metrics = {}, providers = {} }: ConsolidationPatch): boolean {
  const isEmpty = (switches: Switches | undefined): boolean => Object.keys(switches ?? {}).length === 0;
  return (
    isEmpty(providers) &&
    Object.values(metrics).every((change) => change.method === undefined && isEmpty(change.providers))
  );
}

function getCatalogEntry(metric: string): ConsolidationEntry {
  const entry = consolidationEntry(metric);
  if (entry === undefined) {
    throw new Failure(
      'invalid_metric',
      `Unknown consolidation key: ${metric.slice(0, 64)}. GET /v1/consolidation/catalog lists all of them.`,
      {
        details: { metric },
      },
    );
  }
  return entry;
}

function setMethod(
  methods: Map<string, ConsolidationMethod>,
  entry: ConsolidationEntry,
  method: ConsolidationMethod | null,
): void {
  if (method === null) {
    methods.delete(entry.key);
    return;
  }
  if (!entry.allowed_methods.includes(method)) {
    throw new Failure(
      'invalid_method',
      `${method} is not a valid method for ${entry.key}. Use ${entry.allowed_methods.join(', ')}, or null for the default.`,
      { details: { metric: entry.key, method, allowed_methods: entry.allowed_methods } },
    );
  }
  methods.set(entry.key, method);
}

function applySwitches(
  disabled: Set<string>,
  switches: Switches,
  connected: ReadonlySet<string>,
  metric?: string,
): void {
  for (const [provider, enabled] of Object.entries(switches)) {
    if (!connected.has(provider)) {
      throw new Failure('invalid_provider', `${provider.slice(0, 64)} is not connected to this user.`, {
        details: metric === undefined ? { provider } : { provider, metric },
      });
    }
    if (enabled) disabled.delete(provider);
    else disabled.add(provider);
  }
}

/** Each state has exactly one representation, so that equal settings serialize to equal text. */
function normalizeSettings(
  methods: ReadonlyMap<string, ConsolidationMethod>,
  disabled: ReadonlySet<string>,
  disabledFor: ReadonlyMap<string, ReadonlySet<string>>,
): ConsolidationSettings {
  const sortByName = <Value>(entries: Iterable<[string, Value]>): Record<string, Value> =>
    Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    methods: sortByName(methods),
    disabled: [...disabled].sort(),
    disabledFor: sortByName(
      [...disabledFor]
        .filter(([, excluded]) => excluded.size > 0)
        .map(([key, excluded]): [string, string[]] => [key, [...excluded].sort()]),
    ),
  };
}

export function areSettingsEqual(a: ConsolidationSettings, b: ConsolidationSettings): boolean {
  return serializeSettings(a) === serializeSettings(b);
}

function serializeSettings({ methods, disabled, disabledFor }: ConsolidationSettings): string {
  const excluded = Object.entries(disabledFor).map(([key, providers]): [string, Set<string>] => [
    key,
    new Set(providers),
  ]);
  return JSON.stringify(normalizeSettings(new Map(Object.entries(methods)), new Set(disabled), new Map(excluded)));
}

export function methodFor({ methods }: ConsolidationSettings, { key, default_method }: ConsolidationEntry) {
  const stored = Object.hasOwn(methods, key) ? methods[key] : undefined;
  return { method: stored ?? default_method, overridden: stored !== undefined };
}

const isDisabledForKey = ({ disabledFor }: ConsolidationSettings, key: string, provider: string): boolean =>
  Object.hasOwn(disabledFor, key) && disabledFor[key]?.includes(provider) === true;

export function isEnabled(settings: ConsolidationSettings, key: string, provider: string): boolean {
  return !settings.disabled.includes(provider) && !isDisabledForKey(settings, key, provider);
}

export function effectiveConfiguration(
  settings: ConsolidationSettings,
  connectedProviders: readonly ProviderId[],
): ConsolidationConfiguration {
  const connected = [...new Set(connectedProviders)].sort();
  return {
    providers: connected.map((provider) => ({ provider, enabled: !settings.disabled.includes(provider) })),
    metrics: consolidationCatalog.metrics.map((entry) => {
      const disabledTwice = connected.filter(
        (provider) => settings.disabled.includes(provider) && isDisabledForKey(settings, entry.key, provider),
      );
      return {
        key: entry.key,
        category: entry.category,
        default_method: entry.default_method,
        ...methodFor(settings, entry),
        providers: connected.map((provider) => ({ provider, enabled: isEnabled(settings, entry.key, provider) })),
        ...(disabledTwice.length === 0 ? {} : { disabled_providers: disabledTwice }),
      };
    }),
  };
}
