// Which providers users can connect. `poll` reads the credentials and stores which settings each
// provider lacks; everything else reads that, so it needs no access to the credentials.
import { type CloudProviderId, cloudProviderIds } from '../../catalog/provider.ts';
import type { IncludedProviders, ListedConnection, ProviderCatalog } from '../../catalog/provider-catalog.ts';
import { renderProviderCatalog } from '../../providers/catalog.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { missingSettingsRow } from '../missing-settings-row.ts';
import { getConfiguredProvider, listRequiredSettings, ProviderMisconfigured } from './configured-provider.ts';

type SettingsDeps = Pick<Deps, 'providerSettings' | 'keyring' | 'egress' | 'log'>;

export async function storeMissingSettings(deps: SettingsDeps & Pick<Deps, 'store'>): Promise<void> {
  const entries = await Promise.all(
    cloudProviderIds.map(async (provider) => [provider, await listMissingSettings(deps, provider)] as const),
  );
  await missingSettingsRow(deps.store).save(Object.fromEntries(entries));
}

/**
 * Lists the providers that users of this environment can connect now. Of the others, which are
 * listed on request, it names the missing credentials.
 */
export async function listProviders(
  deps: Pick<Deps, 'store'>,
  env: Environment,
  { connection, include }: { connection: ListedConnection; include?: IncludedProviders },
): Promise<ProviderCatalog> {
  const missing = await readMissingSettings(deps, env);
  const { providers } = renderProviderCatalog((id) => missing.get(id) ?? []);
  return {
    providers: providers.filter(
      (each) =>
        (connection === 'all' || each.connection === connection) && (include === 'unavailable' || each.available),
    ),
  };
}

export async function findAvailableProviders(
  deps: Pick<Deps, 'store'>,
  env: Environment,
): Promise<ReadonlySet<CloudProviderId>> {
  const missing = await readMissingSettings(deps, env);
  return new Set(cloudProviderIds.filter((provider) => !missing.get(provider)?.length));
}

/** Until `poll` has run for the first time, nothing is known to be configured. */
async function readMissingSettings(
  { store }: Pick<Deps, 'store'>,
  env: Environment,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (env === 'sandbox') return new Map();
  const missing = await missingSettingsRow(store).find();
  return new Map(cloudProviderIds.map((provider) => [provider, missing?.[provider] ?? listRequiredSettings(provider)]));
}

/** The log has the reason why settings that exist cannot be used. */
async function listMissingSettings(deps: SettingsDeps, provider: CloudProviderId): Promise<string[]> {
  try {
    return (await getConfiguredProvider(deps, provider, 'live')) ? [] : listRequiredSettings(provider);
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'provider_misconfigured', { provider, env: 'live', detail: error.message });
    return [...error.settings];
  }
}
