// Which providers users can connect. `poll` reads the credentials and stores which settings each
// provider lacks; everything else reads that, so it needs no access to the credentials.
import { type CloudProviderId, cloudProviderIds } from '../../catalog/provider.ts';
import type { IncludedProviders, ListedConnection, ProviderCatalog } from '../../catalog/provider-catalog.ts';
import { providerDescriptors, renderProviderCatalog } from '../../providers/catalog.ts';
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { type SettingsSummary, settingsSummaryRow } from '../settings-summary-row.ts';
import { getConfiguredProvider, listRequiredSettings, ProviderMisconfigured } from './configured-provider.ts';
import { readPollIntervals } from './provider-quota.ts';

type SettingsDeps = Pick<Deps, 'providerSettings' | 'keyring' | 'egress' | 'log'>;

export async function storeSettingsSummary(deps: SettingsDeps & Pick<Deps, 'store'>): Promise<void> {
  const summary: SettingsSummary = { missing: {}, limits: {} };
  const readAll = cloudProviderIds.map(async (id) => ({ id, ...(await readSettings(deps, id)) }));
  for (const { id, missing, limits } of await Promise.all(readAll)) {
    summary.missing[id] = missing;
    if (limits) summary.limits[id] = limits;
  }
  await settingsSummaryRow(deps.store).save(summary);
}

/**
 * Lists the providers that users of this environment can connect now. Of the others, which are
 * listed on request, it names the missing credentials.
 */
export async function listProviders(
  deps: Pick<Deps, 'store' | 'clock'>,
  env: Environment,
  { connection, include }: { connection: ListedConnection; include?: IncludedProviders },
): Promise<ProviderCatalog> {
  const { missing, limits } = await readSummary(deps, env);
  const providers = renderProviderCatalog((id) => missing.get(id) ?? []).filter(
    (each) => (connection === 'all' || each.connection === connection) && (include === 'unavailable' || each.available),
  );
  const listed = new Set<string>(providers.map(({ id }) => id));
  const clouds = cloudProviderIds.filter((id) => listed.has(id)).map((id) => ({ provider: id, limits: limits(id) }));
  const intervals = await readPollIntervals(deps, clouds);
  return { providers: providers.map((each) => ({ ...each, poll_interval_seconds: intervals.get(each.id) ?? null })) };
}

export async function findAvailableProviders(
  deps: Pick<Deps, 'store'>,
  env: Environment,
): Promise<ReadonlySet<CloudProviderId>> {
  const { missing } = await readSummary(deps, env);
  return new Set(cloudProviderIds.filter((provider) => !missing.get(provider)?.length));
}

interface SummaryOfEnvironment {
  missing: ReadonlyMap<string, readonly string[]>;
  limits: (provider: CloudProviderId) => readonly ProviderRateLimit[];
}

/**
 * Until `poll` has run for the first time, nothing is known to be configured. The simulated
 * providers of the sandbox need no settings and have no limits.
 */
async function readSummary({ store }: Pick<Deps, 'store'>, env: Environment): Promise<SummaryOfEnvironment> {
  if (env === 'sandbox') return { missing: new Map(), limits: () => [] };
  const summary = await settingsSummaryRow(store).find();
  return {
    missing: new Map(cloudProviderIds.map((id) => [id, summary?.missing[id] ?? listRequiredSettings(id)])),
    limits: (id) => summary?.limits[id] ?? providerDescriptors[id].rateLimits,
  };
}

interface ReadSettings {
  missing: string[];
  /** Undefined unless the settings state limits of their own. */
  limits?: ProviderRateLimit[];
}

/** The log has the reason why settings that exist cannot be used. */
async function readSettings(deps: SettingsDeps, provider: CloudProviderId): Promise<ReadSettings> {
  try {
    const configured = await getConfiguredProvider(deps, provider, 'live');
    if (!configured) return { missing: listRequiredSettings(provider) };
    const { limits } = configured;
    return limits === providerDescriptors[provider].rateLimits ? { missing: [] } : { missing: [], limits: [...limits] };
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'provider_misconfigured', { provider, env: 'live', detail: error.message });
    return { missing: [...error.settings] };
  }
}
